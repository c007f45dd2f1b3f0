//===- ValueRanges.cpp - conditions that no value can make true -------------===//

#include "ValueRanges.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cupel {

namespace {

/// Both ends included. The ends of int64_t stand for no bound.
struct Range {
  int64_t Low = INT64_MIN, High = INT64_MAX;
  bool isSingle() const { return Low == High; }
};

/// Whether a variable is ever more than read: changed, bound to a reference, pointed at.
class OtherThanReads : public DynamicRecursiveASTVisitor {
public:
  explicit OtherThanReads(const VarDecl *V) : Variable(V->getCanonicalDecl()) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    Uses += isIt(E);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *E) override {
    Reads += E->getCastKind() == CK_LValueToRValue && isIt(E->getSubExpr()->IgnoreParens());
    return true;
  }
  bool found() const { return Uses != Reads; }

private:
  bool isIt(const Expr *E) const {
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    return Ref && Ref->getDecl()->getCanonicalDecl() == Variable;
  }
  const VarDecl *Variable;
  unsigned Uses = 0, Reads = 0;
};

class Ranges {
public:
  explicit Ranges(ASTContext &Context) : Context(Context) {}

  /// Values of variables at one point, whatever changes them later.
  llvm::DenseMap<const VarDecl *, Range> Known;

  std::optional<bool> decide(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot) {
      std::optional<bool> Value = decide(Not->getSubExpr());
      return Value ? std::optional(!*Value) : std::nullopt;
    }
    if (const auto *B = dyn_cast<BinaryOperator>(E)) {
      if (B->isLogicalOp())
        return decideLogical(B);
      if (B->isComparisonOp())
        return compare(B->getOpcode(), B->getLHS(), B->getRHS());
    }
    if (!E->getType()->isIntegralOrEnumerationType())
      return std::nullopt;
    Range R = rangeOf(E);
    if (R.Low > 0 || R.High < 0)
      return true;
    return R.isSingle() ? std::optional(false) : std::nullopt;
  }

  Range rangeOf(const Expr *E) {
    // Bounds the work on what is nested on purpose.
    if (++Depth > 64 || !E->getType()->isIntegralOrEnumerationType() || E->isValueDependent() ||
        E->isTypeDependent()) {
      --Depth;
      return {};
    }
    Range R = within(E->getType(), computed(E->IgnoreParens()));
    --Depth;
    return R;
  }

private:
  std::optional<bool> decideLogical(const BinaryOperator *B) {
    const bool Stops = B->getOpcode() == BO_LOr;
    std::optional<bool> L = decide(B->getLHS()), R = decide(B->getRHS());
    if (L == Stops || R == Stops)
      return Stops;
    return L && R ? std::optional(!Stops) : std::nullopt;
  }

  std::optional<bool> compare(BinaryOperatorKind Op, const Expr *L, const Expr *R) {
    if (isSameVariable(L, R))
      return Op == BO_EQ || Op == BO_LE || Op == BO_GE;
    Range A = rangeOf(L), B = rangeOf(R);
    const bool Below = A.High < B.Low;
    const bool Above = A.Low > B.High;
    const bool NotAbove = A.High <= B.Low;
    const bool NotBelow = A.Low >= B.High;
    switch (Op) {
    case BO_LT:
      return Below ? std::optional(true) : NotBelow ? std::optional(false) : std::nullopt;
    case BO_GE:
      return Below ? std::optional(false) : NotBelow ? std::optional(true) : std::nullopt;
    case BO_GT:
      return Above ? std::optional(true) : NotAbove ? std::optional(false) : std::nullopt;
    case BO_LE:
      return Above ? std::optional(false) : NotAbove ? std::optional(true) : std::nullopt;
    case BO_EQ:
    case BO_NE:
      if (Below || Above)
        return Op == BO_NE;
      if (A.isSingle() && B.isSingle() && A.Low == B.Low)
        return Op == BO_EQ;
      return std::nullopt;
    default:
      return std::nullopt;
    }
  }

  static const VarDecl *variableIn(const Expr *E) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return V && V->getType()->isIntegralOrEnumerationType() && !V->getType().isVolatileQualified()
               ? V
               : nullptr;
  }
  static bool isSameVariable(const Expr *L, const Expr *R) {
    const VarDecl *V = variableIn(L);
    return V && V == variableIn(R);
  }

  Range computed(const Expr *E) {
    // What has operands is taken apart below: to evaluate each level anew would be quadratic.
    if (!isa<BinaryOperator, ConditionalOperator, CallExpr, CastExpr>(E))
      if (std::optional<llvm::APSInt> Value = E->getIntegerConstantExpr(Context);
          Value && Value->isRepresentableByInt64())
        return {Value->getExtValue(), Value->getExtValue()};
    if (const auto *Cast = dyn_cast<CastExpr>(E)) {
      switch (Cast->getCastKind()) {
      case CK_LValueToRValue:
      case CK_NoOp:
      case CK_IntegralCast:
      case CK_IntegralToBoolean:
        return converted(Cast);
      default:
        return {};
      }
    }
    if (const auto *Wrapped = dyn_cast<FullExpr>(E))
      return rangeOf(Wrapped->getSubExpr());
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return rangeOfVariable(dyn_cast<VarDecl>(Ref->getDecl()));
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return arithmetic(B);
    if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
      Range A = rangeOf(C->getTrueExpr()), B = rangeOf(C->getFalseExpr());
      return {std::min(A.Low, B.Low), std::max(A.High, B.High)};
    }
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return rangeOfCall(Call);
    return {};
  }

  Range converted(const CastExpr *Cast) {
    if (Cast->getCastKind() == CK_IntegralToBoolean)
      return {0, 1};
    Range R = rangeOf(Cast->getSubExpr());
    // A negative number becomes a large one. A size that does not fit into an int would wrap
    // around, but nobody has tensors of 2^31 elements to get behind a test for that.
    const bool Wraps = Cast->getType()->isUnsignedIntegerOrEnumerationType() && R.Low < 0;
    return Wraps ? Range() : R;
  }

  Range rangeOfVariable(const VarDecl *V) {
    if (!V || V->getType().isVolatileQualified())
      return {};
    if (auto Found = Known.find(V); Found != Known.end())
      return Found->second;
    auto [Slot, IsNew] = Kept.try_emplace(V, Range());
    if (!IsNew)
      return Slot->second;
    Range R = isOnlyRead(V) ? rangeOf(V->getInit()) : Range();
    return Kept[V] = R;
  }

  /// Whether \p V keeps the value of its initialiser.
  bool isOnlyRead(const VarDecl *V) {
    const VarDecl *Definition = V->getDefinition(Context);
    if (isa<ParmVarDecl>(V) || !Definition || !Definition->getInit() || Definition != V ||
        V->getInit()->isValueDependent())
      return false;
    if (V->getType().isConstQualified())
      return true;
    OtherThanReads Uses(V);
    if (const auto *F = dyn_cast_or_null<FunctionDecl>(V->getParentFunctionOrMethod()))
      Uses.TraverseStmt(F->getBody());
    else if (V->hasGlobalStorage() && V->getStorageClass() == SC_Static)
      // Of the submission alone: declarations of a precompiled header are not loaded by this.
      for (Decl *D : Context.getTranslationUnitDecl()->noload_decls())
        Uses.TraverseDecl(D);
    else
      return false;
    return !Uses.found();
  }

  Range arithmetic(const BinaryOperator *B) {
    if (B->isComparisonOp() || B->isLogicalOp())
      return {0, 1};
    if (B->getOpcode() == BO_Comma)
      return rangeOf(B->getRHS());
    Range L = rangeOf(B->getLHS()), R = rangeOf(B->getRHS());
    const bool Natural = L.Low >= 0 && R.Low >= 0;
    switch (B->getOpcode()) {
    case BO_Add:
      if (Natural)
        return {saturated(L.Low, R.Low), saturated(L.High, R.High)};
      return {};
    case BO_Mul:
    case BO_Shl:
      return Natural ? Range{0, INT64_MAX} : Range();
    case BO_Div:
      return L.Low >= 0 && R.Low > 0 ? Range{0, L.High} : Range();
    case BO_Shr:
      return Natural ? Range{0, L.High} : Range();
    case BO_Rem:
      if (R.Low > 0 && R.High != INT64_MAX)
        return {L.Low >= 0 ? 0 : 1 - R.High, R.High - 1};
      return L.Low >= 0 ? Range{0, L.High} : Range();
    case BO_And:
      if (L.Low >= 0 || R.Low >= 0)
        return {0, std::min(L.Low >= 0 ? L.High : INT64_MAX, R.Low >= 0 ? R.High : INT64_MAX)};
      return {};
    default:
      return {};
    }
  }

  static int64_t saturated(int64_t A, int64_t B) { return A > INT64_MAX - B ? INT64_MAX : A + B; }

  Range rangeOfCall(const CallExpr *Call) {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || !F->getIdentifier())
      return {};
    StringRef Name = F->getName();
    if (F->isInStdNamespace() && (Name == "min" || Name == "max") && Call->getNumArgs() == 2) {
      Range A = rangeOf(Call->getArg(0)), B = rangeOf(Call->getArg(1));
      return Name == "min" ? Range{std::min(A.Low, B.Low), std::min(A.High, B.High)}
                           : Range{std::max(A.Low, B.Low), std::max(A.High, B.High)};
    }
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    if (!M || !isOfTorch(M))
      return {};
    return llvm::StringSwitch<Range>(Name)
        .Cases({"numel", "size", "nbytes", "storage_offset"}, {0, INT64_MAX})
        .Cases({"dim", "ndimension"}, {0, 64}) // at::MAX_TENSORINFO_DIMS and kin are below.
        .Cases({"element_size", "itemsize"}, {1, 16})
        .Default({});
  }

  /// A method of torch's tensors, not of a class of the same name.
  bool isOfTorch(const CXXMethodDecl *M) const {
    const CXXRecordDecl *Class = M->getParent();
    if (!Class->getIdentifier() ||
        !(Class->getName() == "TensorBase" || Class->getName() == "Tensor"))
      return false;
    const auto *Space = dyn_cast<NamespaceDecl>(Class->getDeclContext());
    return Space && Space->getIdentifier() && Space->getName() == "at" && Class->isFromASTFile();
  }

  /// \p R cut to what \p T can hold.
  Range within(QualType T, Range R) const {
    if (T->isBooleanType())
      return {std::max<int64_t>(R.Low, 0), std::min<int64_t>(R.High, 1)};
    const unsigned Bits = static_cast<unsigned>(Context.getTypeSize(T));
    const bool Unsigned = T->isUnsignedIntegerOrEnumerationType();
    if (Unsigned)
      R.Low = std::max<int64_t>(R.Low, 0);
    if (Bits < 64) {
      int64_t Top = (int64_t(1) << (Unsigned ? Bits : Bits - 1)) - 1;
      R.High = std::min(R.High, Top);
      R.Low = std::max(R.Low, Unsigned ? 0 : -Top - 1);
    }
    return R.Low <= R.High ? R : Range();
  }

  ASTContext &Context;
  llvm::DenseMap<const VarDecl *, Range> Kept;
  unsigned Depth = 0;
};

/// Whether Clang has resolved \p E.
bool isPlain(const Expr *E) {
  return E && !E->isValueDependent() && !E->isTypeDependent() && !E->containsErrors();
}

} // namespace

std::optional<bool> decidedByRanges(const Expr *Condition, ASTContext &Context) {
  return isPlain(Condition) ? Ranges(Context).decide(Condition) : std::nullopt;
}

bool neverRuns(const Stmt *Loop, ASTContext &Context) {
  Ranges Values(Context);
  const Expr *Condition = nullptr;
  if (const auto *While = dyn_cast<WhileStmt>(Loop)) {
    Condition = While->getCond();
  } else if (const auto *For = dyn_cast<ForStmt>(Loop)) {
    Condition = For->getCond();
    if (const auto *Start = dyn_cast_or_null<DeclStmt>(For->getInit()))
      for (const Decl *D : Start->decls())
        if (const auto *V = dyn_cast<VarDecl>(D); V && isPlain(V->getInit()))
          Values.Known[V] = Values.rangeOf(V->getInit());
  }
  return isPlain(Condition) && Values.decide(Condition) == false;
}

bool fitsNoCase(const SwitchStmt *Switch, ASTContext &Context) {
  if (!isPlain(Switch->getCond()))
    return false;
  Range Value = Ranges(Context).rangeOf(Switch->getCond());
  if (Value.Low == INT64_MIN && Value.High == INT64_MAX)
    return false;
  for (const SwitchCase *Case = Switch->getSwitchCaseList(); Case;
       Case = Case->getNextSwitchCase()) {
    const auto *Label = dyn_cast<CaseStmt>(Case);
    if (!Label || Label->getRHS() || !isPlain(Label->getLHS()))
      return false;
    std::optional<llvm::APSInt> Known = Label->getLHS()->getIntegerConstantExpr(Context);
    if (!Known || !Known->isRepresentableByInt64() ||
        (Known->getExtValue() >= Value.Low && Known->getExtValue() <= Value.High))
      return false;
  }
  return true;
}

} // namespace cupel
