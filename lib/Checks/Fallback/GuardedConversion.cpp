//===- GuardedConversion.cpp - conversions that the problem never needs -----===//

#include "GuardedConversion.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cupel {

namespace {

/// The enumerator of c10::ScalarType that an expression names, and whether it asks a tensor for its
/// type.
class TypeFinder : public DynamicRecursiveASTVisitor {
public:
  TypeFinder(const Symbols &Names, ASTContext &Context) : Names(Names), Context(Context) {}
  std::optional<int64_t> Type;
  bool AsksTensor = false;

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) override {
    const CXXMethodDecl *M = E->getMethodDecl();
    AsksTensor |= M && M->getIdentifier() &&
                  (M->getName() == "scalar_type" || M->getName() == "dtype") &&
                  Names.isTorchDecl(M) && Names.isTensorType(E->getObjectType());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    const EnumDecl *D = E->getType().getNonReferenceType()->getAsEnumDecl();
    Expr::EvalResult Result;
    if (D && Names.qualifiedName(D) == "c10::ScalarType" && !E->isValueDependent() &&
        E->EvaluateAsInt(Result, Context))
      Type = Result.Val.getInt().getExtValue();
    return true;
  }

private:
  const Symbols &Names;
  ASTContext &Context;
};

class GuardReader {
public:
  GuardReader(const Symbols &Names, ASTContext &Context) : Names(Names), Context(Context) {}

  std::optional<int64_t> typeIn(const Expr *E, bool *AsksTensor = nullptr) const {
    TypeFinder Finder(Names, Context);
    Finder.TraverseStmt(const_cast<Expr *>(E));
    if (AsksTensor)
      *AsksTensor = Finder.AsksTensor;
    return Finder.Type;
  }

  /// Whether \p E has \p Value only where some tensor is not of \p Type.
  bool meansOther(const Expr *E, bool Value, int64_t Type) const {
    E = E->IgnoreParenImpCasts();
    if (const auto *Wrapped = dyn_cast<ExprWithCleanups>(E))
      return meansOther(Wrapped->getSubExpr(), Value, Type);
    if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot)
      return meansOther(Not->getSubExpr(), !Value, Type);
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isLogicalOp()) {
      bool L = meansOther(B->getLHS(), Value, Type), R = meansOther(B->getRHS(), Value, Type);
      // True of `&&`: both hold; true of `||`: one does. False the other way round.
      return (B->getOpcode() == BO_LAnd) == Value ? L || R : L && R;
    }
    std::optional<bool> Equal = isEquality(E);
    bool AsksTensor = false;
    return Equal && *Equal != Value && typeIn(E, &AsksTensor) == Type && AsksTensor;
  }

private:
  /// True for `==`, false for `!=`.
  static std::optional<bool> isEquality(const Expr *E) {
    if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isEqualityOp())
      return B->getOpcode() == BO_EQ;
    if (const auto *R = dyn_cast<CXXRewrittenBinaryOperator>(E);
        R && BinaryOperator::isEqualityOp(R->getOperator()))
      return R->getOperator() == BO_EQ;
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (O->getOperator() == OO_EqualEqual || O->getOperator() == OO_ExclaimEqual)
        return O->getOperator() == OO_EqualEqual;
    }
    return std::nullopt;
  }

  const Symbols &Names;
  ASTContext &Context;
};

/// The problem's name for an enumerator of c10::ScalarType (c10/core/ScalarType.h).
StringRef dtypeName(int64_t Type) {
  static constexpr llvm::StringLiteral Known[] = {
      "uint8", "int8",      "int16",      "int32", "int64", "float16", "float32", "float64",
      "",      "complex64", "complex128", "bool",  "",      "",        "",        "bfloat16"};
  return Type >= 0 && Type < int64_t(std::size(Known)) ? Known[Type] : "";
}

} // namespace

bool convertsOnlyOtherTypes(const FunctionUse &Use, const CheckContext &Context) {
  const auto *Call = dyn_cast_or_null<CXXMemberCallExpr>(Use.Site);
  if (!Call || !Use.Guard || Use.Guard->isValueDependent() || Use.Guard->containsErrors() ||
      !Use.Callee->getIdentifier() || Use.Callee->getName() != "to" || Call->getNumArgs() == 0)
    return false;
  GuardReader Reader(Context.symbols(), Context.ast());
  bool AsksTensor = false;
  std::optional<int64_t> Type = Reader.typeIn(Call->getArg(0), &AsksTensor);
  // `out.to(x.scalar_type())`, for an x that is not of the guard's type.
  if (!Type && AsksTensor)
    Type = Reader.typeIn(Use.Guard);
  if (!Type || !Reader.meansOther(Use.Guard, Use.GuardValue, *Type))
    return false;
  const ProblemSpec *Problem = Context.problem();
  return !Problem || llvm::any_of(Problem->Inputs, [&](const InputSpec &Input) {
    return Input.Tensor && Input.Tensor->DType == dtypeName(*Type);
  });
}

} // namespace cupel
