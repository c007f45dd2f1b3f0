//===- KernelThreads.cpp - conditions that the size of a block decides ------===//

#include "KernelThreads.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace cupel {

static std::optional<int64_t> constant(const Expr *E, const ASTContext &AST) {
  Expr::EvalResult Result;
  if (E->isValueDependent() || !E->getType()->isIntegerType() || !E->EvaluateAsInt(Result, AST))
    return std::nullopt;
  return Result.Val.getInt().getExtValue();
}

std::optional<int64_t> threadsOfBlock(const CUDAKernelCallExpr &Launch, const ASTContext &AST) {
  if (Launch.getConfig()->getNumArgs() < 2)
    return std::nullopt;
  const Expr *E = Launch.getConfig()->getArg(1)->IgnoreImplicit();
  while (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(E))
    E = Cast->getSubExpr()->IgnoreImplicit();
  const auto *Dim = dyn_cast<CXXConstructExpr>(E);
  if (!Dim || Dim->getNumArgs() == 0)
    return std::nullopt;
  int64_t Product = 1;
  for (const Expr *Argument : Dim->arguments()) {
    if (isa<CXXDefaultArgExpr>(Argument))
      continue;
    const std::optional<int64_t> Value = constant(Argument, AST);
    if (!Value || *Value <= 0 || *Value > (1 << 20))
      return std::nullopt;
    Product *= *Value;
  }
  return Product;
}

/// Whether \p E is `threadIdx.x` or another of its parts.
static bool isThreadIndex(const Expr *E) {
  const auto *Pseudo = dyn_cast<PseudoObjectExpr>(E->IgnoreParenImpCasts());
  const auto *Part = Pseudo ? dyn_cast<MSPropertyRefExpr>(Pseudo->getSyntacticForm()) : nullptr;
  const Expr *Base = Part ? Part->getBaseExpr()->IgnoreParenImpCasts() : nullptr;
  if (const auto *Bound = dyn_cast_if_present<OpaqueValueExpr>(Base))
    Base = Bound->getSourceExpr()->IgnoreParenImpCasts();
  const auto *Whole = dyn_cast_if_present<DeclRefExpr>(Base);
  return Whole && Whole->getDecl()->getIdentifier() && Whole->getDecl()->getName() == "threadIdx";
}

std::optional<bool> decidedByThreads(const Expr *Condition, int64_t Threads,
                                     const ASTContext &AST) {
  const auto *Test = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Test)
    return std::nullopt;
  if (Test->isLogicalOp()) {
    const bool Decisive = Test->getOpcode() == BO_LOr; // One side of this value decides.
    const std::optional<bool> Left = decidedByThreads(Test->getLHS(), Threads, AST);
    const std::optional<bool> Right = decidedByThreads(Test->getRHS(), Threads, AST);
    if (Left == Decisive || Right == Decisive)
      return Decisive;
    return Left && Right ? std::optional(!Decisive) : std::nullopt;
  }
  if (!Test->isComparisonOp())
    return std::nullopt;
  const Expr *Index = Test->getLHS(), *Bound = Test->getRHS();
  BinaryOperatorKind Kind = Test->getOpcode();
  if (!isThreadIndex(Index)) {
    std::swap(Index, Bound);
    Kind = Test->isEqualityOp() ? Kind : BinaryOperator::reverseComparisonOp(Kind);
  }
  const std::optional<int64_t> Number = isThreadIndex(Index) ? constant(Bound, AST) : std::nullopt;
  // The greatest index is one less than the number of threads.
  const int64_t Beyond = Kind == BO_GT || Kind == BO_LE ? Threads - 1 : Threads;
  if (!Number || *Number < Beyond)
    return std::nullopt;
  return Kind == BO_NE || Kind == BO_LT || Kind == BO_LE;
}

} // namespace cupel
