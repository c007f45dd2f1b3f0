//===- FloatBits.cpp - bits of floats that a mask takes away ----------------===//

#include "FloatBits.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cupel {

/// Whether \p Mask keeps a float's exponent and the upper part of its mantissa: not all of it, nor
/// none, which leaves a power of two.
static bool keepsUpperMantissa(uint64_t Mask) {
  const uint32_t Exponent = 0x7f800000, Mantissa = Mask & 0x007fffff;
  const uint32_t Lost = ~Mantissa & 0x007fffff;
  return (Mask & Exponent) == Exponent && Mantissa && Lost && (Lost & (Lost + 1)) == 0;
}

namespace {

class MaskFinder : public DynamicRecursiveASTVisitor {
public:
  MaskFinder(const ASTContext &AST, llvm::function_ref<bool(const ParmVarDecl &)> HoldsFloats)
      : AST(AST), HoldsFloats(HoldsFloats) {}

  bool VisitBinaryOperator(BinaryOperator *Operator) override {
    const BinaryOperatorKind Kind = Operator->getOpcode();
    if (Kind == BO_And || Kind == BO_AndAssign)
      if (isMasked(Operator->getLHS(), Operator->getRHS()) ||
          isMasked(Operator->getRHS(), Operator->getLHS()))
        Masks.push_back(Operator->getOperatorLoc());
    HasDifference |= (Kind == BO_Sub || Kind == BO_SubAssign) &&
                     !Operator->getType()->isIntegerType() && !Operator->getType()->isPointerType();
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    HasDifference |= F && F->getIdentifier() && F->getName().starts_with("__fsub");
    return true;
  }

  std::vector<SourceLocation> Masks;
  bool HasDifference = false;

private:
  bool isMasked(const Expr *Bits, const Expr *Mask) const {
    Expr::EvalResult Value;
    return !Mask->isValueDependent() && Mask->getType()->isIntegerType() &&
           Mask->EvaluateAsInt(Value, AST) &&
           keepsUpperMantissa(Value.Val.getInt().extOrTrunc(64).getZExtValue()) && isBits(Bits);
  }

  bool isFloat(QualType T) const { return T->isSpecificBuiltinType(BuiltinType::Float); }

  /// Whether \p E is an integer with the bits of a float.
  bool isBits(const Expr *E, unsigned Depth = 0) const {
    E = E->IgnoreParenImpCasts();
    if (Depth > 8)
      return false;
    if (const auto *Cast = dyn_cast<BuiltinBitCastExpr>(E))
      return isFloat(Cast->getSubExpr()->getType());
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      return Cast->getSubExpr()->getType()->isIntegerType() &&
             isBits(Cast->getSubExpr(), Depth + 1);
    if (const auto *Call = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *F = Call->getDirectCallee();
      if (!F || !F->getIdentifier() || Call->getNumArgs() != 1)
        return false;
      if (F->getName() == "__ldg")
        return leadsToFloats(Call->getArg(0), Depth + 1);
      return F->getName() == "__float_as_uint" || F->getName() == "__float_as_int" ||
             (F->getName() == "bit_cast" &&
              isFloat(Call->getArg(0)->getType().getNonReferenceType()));
    }
    if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(Reference->getDecl());
      return V && V->hasLocalStorage() && V->getInit() && isBits(V->getInit(), Depth + 1);
    }
    if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow())
      E = Member->getBase()->IgnoreParenImpCasts(); // Of a `uint4`.
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      return leadsToFloats(Subscript->getBase(), Depth + 1);
    const auto *Unary = dyn_cast<UnaryOperator>(E);
    return Unary && Unary->getOpcode() == UO_Deref && leadsToFloats(Unary->getSubExpr(), Depth + 1);
  }

  /// Whether \p E, a pointer to integers, leads to floats.
  bool leadsToFloats(const Expr *E, unsigned Depth) const {
    E = E->IgnoreParenImpCasts();
    if (Depth > 8)
      return false;
    if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E)) {
      const QualType From = Cast->getSubExpr()->getType();
      return From->isPointerType() && isFloat(From->getPointeeType());
    }
    if (const auto *Sum = dyn_cast<BinaryOperator>(E); Sum && Sum->isAdditiveOp())
      return leadsToFloats(
          Sum->getLHS()->getType()->isPointerType() ? Sum->getLHS() : Sum->getRHS(), Depth + 1);
    if (const auto *Unary = dyn_cast<UnaryOperator>(E)) { // `&x[i]`
      const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Unary->getSubExpr()->IgnoreParens());
      return Unary->getOpcode() == UO_AddrOf && Subscript &&
             leadsToFloats(Subscript->getBase(), Depth + 1);
    }
    const auto *Reference = dyn_cast<DeclRefExpr>(E);
    const auto *V = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    if (const auto *P = dyn_cast_if_present<ParmVarDecl>(V))
      return HoldsFloats(*P);
    return V && V->hasLocalStorage() && V->getInit() && leadsToFloats(V->getInit(), Depth + 1);
  }

  const ASTContext &AST;
  llvm::function_ref<bool(const ParmVarDecl &)> HoldsFloats;
};

} // namespace

std::vector<SourceLocation>
maskedFloats(const FunctionDecl &F, const ASTContext &AST,
             llvm::function_ref<bool(const ParmVarDecl &)> HoldsFloats) {
  MaskFinder Finder(AST, HoldsFloats);
  if (!F.isDependentContext())
    Finder.TraverseStmt(F.getBody());
  return Finder.HasDifference ? std::vector<SourceLocation>() : Finder.Masks;
}

} // namespace cupel
