//===- CallCounter.cpp - reuse-call-counter --------------------------------===//

#include "CallCounter.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cupel {

CallCounterCheck::CallCounterCheck()
    : Check("reuse-call-counter", Level::Reject,
            "A count of calls decides which kernel runs") {}

namespace {

/// Static integers that are incremented: once-flags and cached properties are not.
struct CounterFinder : clang::RecursiveASTVisitor<CounterFinder> {
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Found;

  void add(const clang::Expr *Target) {
    const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(Target->IgnoreParenImpCasts());
    const auto *V =
        Reference ? llvm::dyn_cast<clang::VarDecl>(Reference->getDecl()) : nullptr;
    if (V && V->hasGlobalStorage() && !V->getType()->isBooleanType())
      Found.insert(V);
  }
  bool VisitUnaryOperator(clang::UnaryOperator *Operator) {
    if (Operator->isIncrementDecrementOp())
      add(Operator->getSubExpr());
    return true;
  }
  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator *Operator) {
    add(Operator->getLHS());
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *Call) {
    // `++count` of a std::atomic.
    if (Call->getOperator() == clang::OO_PlusPlus || Call->getOperator() == clang::OO_PlusEqual)
      add(Call->getArg(0));
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr *Call) {
    const clang::CXXMethodDecl *Method = Call->getMethodDecl();
    if (Method && Method->getDeclName().isIdentifier() && Method->getName() == "fetch_add")
      add(Call->getImplicitObjectArgument());
    return true;
  }
};

/// Whether a statement launches a kernel or leaves the function.
struct ChoiceFinder : clang::RecursiveASTVisitor<ChoiceFinder> {
  bool Found = false;
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *) { return !(Found = true); }
  bool VisitReturnStmt(clang::ReturnStmt *) { return !(Found = true); }
};

struct ConditionFinder : clang::RecursiveASTVisitor<ConditionFinder> {
  using Counters = llvm::SmallPtrSetImpl<const clang::VarDecl *>;
  explicit ConditionFinder(const Counters &Known) : Known(Known) {}

  const Counters &Known;
  std::vector<std::pair<const clang::IfStmt *, const clang::VarDecl *>> Found;

  bool VisitIfStmt(clang::IfStmt *If) {
    const clang::VarDecl *Counter = counterIn(If->getCond());
    ChoiceFinder Choice;
    Choice.TraverseStmt(If->getThen());
    if (If->getElse())
      Choice.TraverseStmt(If->getElse());
    if (Counter && Choice.Found)
      Found.push_back({If, Counter});
    return true;
  }

  const clang::VarDecl *counterIn(const clang::Stmt *S) const {
    if (!S)
      return nullptr;
    if (const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(S))
      if (const auto *V = llvm::dyn_cast<clang::VarDecl>(Reference->getDecl()); V && Known.count(V))
        return V;
    for (const clang::Stmt *Child : S->children())
      if (const clang::VarDecl *Counter = counterIn(Child))
        return Counter;
    return nullptr;
  }
};

} // namespace

void CallCounterCheck::run(CheckContext &Context) const {
  CounterFinder Counters;
  for (clang::Decl *D : Context.program().declarations())
    Counters.TraverseDecl(D);
  ConditionFinder Conditions(Counters.Found);
  for (const auto &Unit : Context.program().units())
    if (Unit->function() && Unit->IsReached && !Unit->IsForeign && !isDeviceOnly(Unit->function()))
      if (clang::Stmt *Body = Unit->function()->getBody())
        Conditions.TraverseStmt(Body);
  for (const auto &[If, Counter] : Conditions.Found) {
    Report &R = Context.report(*this, Level::Reject, If->getIfLoc(),
                               "the number of calls, counted in '" + Counter->getName() +
                                   "', decides what is launched");
    Context.note(R, Counter->getLocation(), "here is the counter");
  }
}

} // namespace cupel
