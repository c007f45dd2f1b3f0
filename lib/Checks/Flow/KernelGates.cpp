//===- KernelGates.cpp - flags that keep a kernel from its work --------------===//

#include "KernelGates.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace cupel {

std::pair<const VarDecl *, bool> testedFlag(const Expr *Condition) {
  bool IsSet = true;
  while (Condition) {
    Condition = Condition->IgnoreParenCasts();
    if (const auto *Not = dyn_cast<UnaryOperator>(Condition); Not && Not->getOpcode() == UO_LNot) {
      IsSet = !IsSet;
      Condition = Not->getSubExpr();
      continue;
    }
    const auto *Test = dyn_cast<BinaryOperator>(Condition);
    const auto *Number =
        Test ? dyn_cast<IntegerLiteral>(Test->getRHS()->IgnoreParenCasts()) : nullptr;
    if (Number && Test->isEqualityOp()) {
      const bool IsEqual = Test->getOpcode() == BO_EQ;
      IsSet = IsSet == (IsEqual != (Number->getValue() == 0));
      Condition = Test->getLHS();
      continue;
    }
    const auto *Reference = dyn_cast<DeclRefExpr>(Condition);
    const bool IsFlag = Reference && isDeviceVariable(Reference->getDecl()) &&
                        Reference->getDecl()->getType()->isIntegerType();
    return {IsFlag ? cast<VarDecl>(Reference->getDecl()) : nullptr, IsSet};
  }
  return {nullptr, IsSet};
}

KernelEffects::Variables gatesOf(const FunctionDecl &Kernel) {
  const auto *Body = dyn_cast<CompoundStmt>(Kernel.getBody());
  if (!Body)
    return {};
  for (const Stmt *S : Body->body()) {
    if (isa<DeclStmt>(S))
      continue;
    const auto *If = dyn_cast<IfStmt>(S);
    const auto [Flag, IsSet] = If ? testedFlag(If->getCond()) : std::pair(nullptr, false);
    if (!Flag)
      return {};
    const Stmt *Then = If->getThen();
    if (const auto *Block = dyn_cast<CompoundStmt>(Then); Block && Block->size() == 1)
      Then = Block->body_front();
    const bool Leaves = isa<ReturnStmt>(Then);
    if (Leaves ? IsSet : !IsSet && !If->getElse() && S == Body->body_back())
      return {Flag};
    return {};
  }
  return {};
}

} // namespace cupel
