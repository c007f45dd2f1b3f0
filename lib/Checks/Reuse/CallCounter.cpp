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

/// Looks for the variables that the captures of lambdas make: `[n = 0]`.
struct CaptureFinder : clang::RecursiveASTVisitor<CaptureFinder> {
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Found;
  bool VisitLambdaExpr(clang::LambdaExpr *Lambda) {
    for (const clang::LambdaCapture &Capture : Lambda->captures())
      if (Lambda->isInitCapture(&Capture))
        Found.insert(llvm::cast<clang::VarDecl>(Capture.getCapturedVar()));
    return true;
  }
};

/// Static integers that are incremented: once-flags and cached properties are not.
struct CounterFinder : clang::RecursiveASTVisitor<CounterFinder> {
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Found;
  CaptureFinder Kept; ///< Of lambdas in static variables.

  bool VisitVarDecl(clang::VarDecl *V) {
    if (V->hasGlobalStorage() && V->getInit())
      Kept.TraverseStmt(V->getInit());
    return true;
  }
  void add(const clang::Expr *Target) {
    const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(Target->IgnoreParenImpCasts());
    const auto *V =
        Reference ? llvm::dyn_cast<clang::VarDecl>(Reference->getDecl()) : nullptr;
    if (V && (V->hasGlobalStorage() || Kept.Found.count(V)) && !V->getType()->isBooleanType())
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

/// Local copies of a counter and functions that return one: `int n = ++calls`, `if (next() < 10)`.
class CounterFlow : public clang::RecursiveASTVisitor<CounterFlow> {
public:
  using Counters = llvm::SmallPtrSetImpl<const clang::VarDecl *>;
  CounterFlow(Counters &Known) : Known(Known) {}

  llvm::DenseMap<const clang::FunctionDecl *, const clang::VarDecl *> Returns;
  bool HasGrown = false;

  void follow(const clang::FunctionDecl &F) {
    Function = F.getCanonicalDecl();
    TraverseStmt(F.getBody());
  }

  bool VisitVarDecl(clang::VarDecl *V) {
    if (V->getInit() && V->getType()->isIntegerType() && !V->getType()->isBooleanType() &&
        counterIn(V->getInit()))
      HasGrown |= Known.insert(V).second;
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt *Return) {
    const clang::Expr *Value = Return->getRetValue();
    const clang::VarDecl *Counter =
        Value && Value->getType()->isIntegerType() ? counterIn(Value) : nullptr;
    if (Counter)
      HasGrown |= Returns.try_emplace(Function, Counter).second;
    return true;
  }
  // A lambda is a unit of its own.
  bool TraverseLambdaExpr(clang::LambdaExpr *) { return true; }

  const clang::VarDecl *counterIn(const clang::Stmt *S) const {
    if (!S || llvm::isa<clang::LambdaExpr>(S))
      return nullptr;
    if (const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(S))
      if (const auto *V = llvm::dyn_cast<clang::VarDecl>(Reference->getDecl()); V && Known.count(V))
        return V;
    if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(S)) {
      const clang::FunctionDecl *F = Call->getDirectCallee();
      if (const clang::VarDecl *Counter = F ? Returns.lookup(F->getCanonicalDecl()) : nullptr)
        return Counter;
    }
    for (const clang::Stmt *Child : S->children())
      if (const clang::VarDecl *Counter = counterIn(Child))
        return Counter;
    return nullptr;
  }

private:
  Counters &Known;
  const clang::FunctionDecl *Function = nullptr;
};

struct ConditionFinder : clang::RecursiveASTVisitor<ConditionFinder> {
  explicit ConditionFinder(const CounterFlow &Flow) : Flow(Flow) {}

  const CounterFlow &Flow;
  std::vector<std::pair<const clang::IfStmt *, const clang::VarDecl *>> Found;

  bool VisitIfStmt(clang::IfStmt *If) {
    const clang::VarDecl *Counter = Flow.counterIn(If->getCond());
    ChoiceFinder Choice;
    Choice.TraverseStmt(If->getThen());
    if (If->getElse())
      Choice.TraverseStmt(If->getElse());
    if (Counter && Choice.Found)
      Found.push_back({If, Counter});
    return true;
  }
};

} // namespace

void CallCounterCheck::run(CheckContext &Context) const {
  CounterFinder Counters;
  for (clang::Decl *D : Context.program().declarations())
    Counters.TraverseDecl(D);
  std::vector<const clang::FunctionDecl *> Functions;
  for (const auto &Unit : Context.program().units())
    if (Unit->function() && Unit->IsReached && !Unit->IsForeign &&
        !isDeviceOnly(Unit->function()) && Unit->function()->getBody())
      Functions.push_back(Unit->function());
  CounterFlow Flow(Counters.Found);
  do {
    Flow.HasGrown = false;
    for (const clang::FunctionDecl *F : Functions)
      Flow.follow(*F);
  } while (Flow.HasGrown);
  ConditionFinder Conditions(Flow);
  for (const clang::FunctionDecl *F : Functions)
    Conditions.TraverseStmt(F->getBody());
  for (const auto &[If, Counter] : Conditions.Found) {
    Report &R = Context.report(*this, Level::Reject, If->getIfLoc(),
                               "the number of calls, counted in '" + Counter->getName() +
                                   "', decides what is launched");
    Context.note(R, Counter->getLocation(), "here is the counter");
  }
}

} // namespace cupel
