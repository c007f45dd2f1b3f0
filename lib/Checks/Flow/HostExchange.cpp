//===- HostExchange.cpp - HostFlow over values that change places -----------===//

#include "HostFlow.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cupel {

/// Whether an assignment to \p Target replaces all that a variable or part held.
bool HostFlow::isExact(const Expr *Target) {
  if (const Place To = placeOf(Target); !To.Owners.empty())
    return To.IsExact && To.Owners.size() == 1;
  const VarDecl *Whole = wholeNamedBy(Target);
  return Whole && !Whole->getType()->isReferenceType();
}

void HostFlow::exchange(const Expr *A, const TensorSet &OfA, const Expr *B, const TensorSet &OfB) {
  ++Exchanges;
  auto put = [&](const Expr *Target, const TensorSet &Values) {
    if (replacePart(Target, Values))
      return true;
    if (!isExact(Target))
      return false;
    assign(Target, Values);
    return true;
  };
  const bool IsPutIntoA = put(A, OfB);
  if (put(B, OfA) && IsPutIntoA)
    return;
  // No claim rests on which of them is where now.
  write(OfA, holdsInput(OfA));
  write(OfB, holdsInput(OfB));
}

/// `std::swap(a, b)`, `a.swap(b)` and `std::exchange(a, value)`; the result is what the last
/// returns. Nothing for other functions.
std::optional<TensorSet> HostFlow::callExchange(const CallExpr *Site, const FunctionDecl *F,
                                                const Expr *Object,
                                                llvm::ArrayRef<TensorSet> Arguments) {
  const llvm::StringRef Name = F->getDeclName().isIdentifier() ? F->getName() : "";
  if (Name == "swap" && !Object && Arguments.size() == 2) {
    exchange(Site->getArg(0), Arguments[0], Site->getArg(1), Arguments[1]);
    return TensorSet();
  }
  if (Name == "swap" && Object && Arguments.size() == 1 && !Object->getType()->isPointerType()) {
    exchange(Object, evaluate(Object), Site->getArg(0), Arguments[0]);
    return TensorSet();
  }
  if (Name != "exchange" || Object || Arguments.size() != 2)
    return std::nullopt;
  ++Exchanges;
  assign(Site->getArg(0), Arguments[1]);
  return Arguments[0];
}

} // namespace cupel
