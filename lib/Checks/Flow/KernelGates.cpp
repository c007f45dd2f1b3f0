//===- KernelGates.cpp - flags that keep a kernel from its work --------------===//

#include "KernelGates.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

using namespace clang;

namespace cupel {

namespace {

using Flag = std::pair<const VarDecl *, bool>;
using Locals = llvm::SmallDenseMap<const VarDecl *, const Expr *>;

/// The variable of the device that \p E reads: as it is, a field or a fixed element of it, through
/// `*(volatile int *)&done`, `atomicAdd(&done, 0)`, `__ldcg(&done)`.
const VarDecl *flagIn(const Expr *E, const Locals &Known) {
  if (!E->getType()->isIntegerType())
    return nullptr;
  bool IsAddress = false;
  for (unsigned Steps = 0; Steps < 16; ++Steps) { // `int i = i;`
    E = E->IgnoreParenCasts();
    if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(Reference->getDecl());
      if (V && isDeviceVariable(V))
        return V;
      E = Known.lookup(V);
      if (!E || IsAddress)
        return nullptr;
    } else if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !Member->isArrow()) {
      E = Member->getBase();
    } else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E);
               Subscript && isa<IntegerLiteral>(Subscript->getIdx()->IgnoreParenCasts())) {
      E = Subscript->getBase();
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E);
               Unary && Unary->getOpcode() == (IsAddress ? UO_AddrOf : UO_Deref)) {
      IsAddress = !IsAddress;
      E = Unary->getSubExpr();
    } else if (const auto *Call = dyn_cast<CallExpr>(E); Call && Call->getNumArgs() && !IsAddress) {
      const FunctionDecl *F = Call->getDirectCallee();
      const llvm::StringRef Name = F && F->getIdentifier() ? F->getName() : "";
      const auto *Added = Call->getNumArgs() == 2
                              ? dyn_cast<IntegerLiteral>(Call->getArg(1)->IgnoreParenCasts())
                              : nullptr;
      const bool IsLoad = Name.starts_with("__ld") && Call->getNumArgs() == 1;
      if (!IsLoad &&
          !((Name == "atomicAdd" || Name == "atomicOr") && Added && Added->getValue() == 0))
        return nullptr;
      IsAddress = true;
      E = Call->getArg(0);
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

/// Whether a comparison with a number is true of every value but zero (of zero alone: false).
std::optional<bool> comparesWithZero(BinaryOperatorKind Kind, const llvm::APInt &Number) {
  switch (Kind) {
  case BO_EQ:
    return Number != 0;
  case BO_NE:
    return Number == 0;
  case BO_GT:
    return Number == 0 ? std::optional(true) : std::nullopt;
  case BO_GE:
    return Number == 1 ? std::optional(true) : std::nullopt;
  case BO_LT:
    return Number == 1 ? std::optional(false) : std::nullopt;
  case BO_LE:
    return Number == 0 ? std::optional(false) : std::nullopt;
  default:
    return std::nullopt;
  }
}

Flag testedFlag(const Expr *Condition, const Locals &Known) {
  Condition = Condition->IgnoreParenImpCasts();
  if (const auto *Not = dyn_cast<UnaryOperator>(Condition); Not && Not->getOpcode() == UO_LNot) {
    const auto [V, IsSet] = testedFlag(Not->getSubExpr(), Known);
    return {V, !IsSet};
  }
  const auto *Test = dyn_cast<BinaryOperator>(Condition);
  if (Test && Test->isLogicalOp()) {
    // One side decides: `i >= n || done` is true, `i < n && !done` is false.
    for (const Expr *Side : {Test->getLHS(), Test->getRHS()})
      if (Flag Found = testedFlag(Side, Known);
          Found.first && Found.second == (Test->getOpcode() == BO_LOr))
        return Found;
    return {nullptr, false};
  }
  if (Test && Test->isComparisonOp()) {
    const Expr *Side = Test->getLHS(), *Other = Test->getRHS();
    BinaryOperatorKind Kind = Test->getOpcode();
    if (isa<IntegerLiteral>(Side->IgnoreParenCasts())) {
      std::swap(Side, Other);
      Kind = Test->isEqualityOp() ? Kind : BinaryOperator::reverseComparisonOp(Kind);
    }
    const auto *Number = dyn_cast<IntegerLiteral>(Other->IgnoreParenCasts());
    const std::optional<bool> IsSet =
        Number ? comparesWithZero(Kind, Number->getValue()) : std::nullopt;
    return {IsSet ? flagIn(Side, Known) : nullptr, IsSet.value_or(false)};
  }
  return {flagIn(Condition, Known), true};
}

KernelEffects::Variables gatesIn(const Stmt *S, Locals &Known) {
  llvm::SmallVector<const Stmt *, 8> Children = {S};
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    Children.assign(Block->body_begin(), Block->body_end());
  for (const Stmt *Child : Children) {
    const bool IsLast = Child == Children.back();
    if (isa<NullStmt>(Child))
      continue;
    if (const auto *Declaration = dyn_cast<DeclStmt>(Child)) {
      for (const Decl *D : Declaration->decls())
        if (const auto *V = dyn_cast<VarDecl>(D); V && V->hasLocalStorage() && V->getInit())
          Known[V] = V->getInit();
      continue;
    }
    if (const auto *Loop = dyn_cast<ForStmt>(Child))
      return IsLast ? gatesIn(Loop->getBody(), Known) : KernelEffects::Variables();
    const auto *If = dyn_cast<IfStmt>(Child);
    if (!If)
      return {};
    const Flag Tested = testedFlag(If->getCond(), Known);
    const Stmt *Then = If->getThen();
    if (const auto *Inner = dyn_cast<CompoundStmt>(Then); Inner && Inner->size() == 1)
      Then = Inner->body_front();
    const bool Leaves = isa<ReturnStmt>(Then) && !If->getElse();
    if (Tested.first && (Leaves ? Tested.second : !Tested.second && !If->getElse() && IsLast))
      return {Tested.first};
    if (Leaves)
      continue; // `if (i >= n) return;`
    return IsLast && !If->getElse() ? gatesIn(If->getThen(), Known) : KernelEffects::Variables();
  }
  return {};
}

} // namespace

bool testsFlag(const Expr *Condition) { return testedFlag(Condition, Locals()).first; }

const VarDecl *flagAgainst(const Expr *Condition, bool OfElse) {
  const auto [V, IsSet] = testedFlag(Condition, Locals());
  return IsSet == OfElse ? V : nullptr;
}

KernelEffects::Variables gatesOf(const FunctionDecl &Kernel) {
  Locals Known;
  return gatesIn(Kernel.getBody(), Known);
}

} // namespace cupel
