//===- CallCounter.cpp - reuse-call-counter --------------------------------===//

#include "CallCounter.h"
#include "../HostUses.h"
#include "Counters.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

namespace cupel {

CallCounterCheck::CallCounterCheck()
    : Check("reuse-call-counter", Level::Reject, "A count of calls decides which kernel runs") {}

/// Where the size of a launch stands among the arguments of a function of CUDA; 0 for none.
static unsigned sizeArgument(const clang::FunctionDecl *F) {
  if (!F || !F->getDeclName().isIdentifier())
    return 0;
  const llvm::StringRef Name = F->getName();
  return Name == "cudaLaunchKernel" || Name == "cudaLaunchCooperativeKernel" ? 1 : 0;
}

namespace {

using Functions = llvm::SmallPtrSet<const clang::FunctionDecl *, 16>;

/// The functions of the submission that launch a kernel, or call one that does.
Functions launchingFunctions(CheckContext &Context) {
  Functions Found;
  for (bool HasGrown = true; HasGrown;) {
    HasGrown = false;
    for (const auto &Unit : Context.program().units()) {
      const clang::FunctionDecl *F = Unit->function();
      if (!F || isDeviceOnly(F) || Found.count(F->getCanonicalDecl()))
        continue;
      if (llvm::any_of(Unit->Uses, [&](const auto &Use) {
            return Use->Callee && Use->How != FunctionUse::Kind::Address &&
                   (Use->Callee->template hasAttr<clang::CUDAGlobalAttr>() ||
                    sizeArgument(Use->Callee) || Found.count(Use->Callee->getCanonicalDecl()));
          }))
        HasGrown |= Found.insert(F->getCanonicalDecl()).second;
    }
  }
  return Found;
}

/// Whether code launches a kernel or leaves its function without having done so.
struct ChoiceFinder : clang::DynamicRecursiveASTVisitor {
  ChoiceFinder(const Functions &Launching, bool ReturnsCount)
      : Launching(Launching), ReturnsCount(ReturnsCount) {}

  const Functions &Launching;
  const bool ReturnsCount;
  bool Found = false;

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *) override { return !(Found = true); }
  bool VisitReturnStmt(clang::ReturnStmt *) override { return !(Found |= ReturnsCount); }
  bool VisitCallExpr(clang::CallExpr *Call) override {
    const clang::FunctionDecl *F = Call->getDirectCallee();
    return !(Found |= F && (sizeArgument(F) || Launching.count(F->getCanonicalDecl())));
  }
};

/// Whether \p E is a kernel's name: `early ? full : cheap`.
bool isKernel(const clang::Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(E))
    E = Unary->getSubExpr()->IgnoreParenCasts();
  const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(E);
  return Reference && Reference->getDecl()->hasAttr<clang::CUDAGlobalAttr>();
}

/// Looks for decisions of counters.
struct DecisionFinder : clang::DynamicRecursiveASTVisitor {
  DecisionFinder(const CounterFlow &Flow, const Functions &Launching)
      : Flow(Flow), Launching(Launching) {}

  struct Decision {
    clang::SourceLocation Where;
    const clang::ValueDecl *Counter;
    llvm::StringRef What;
  };
  const CounterFlow &Flow;
  const Functions &Launching;
  bool ReturnsCount = false;
  std::vector<Decision> Found;

  void add(clang::SourceLocation Where, const clang::Stmt *Decider, llvm::StringRef What) {
    if (const clang::ValueDecl *Counter = Flow.counterIn(Decider))
      Found.push_back({Where, Counter, What});
  }
  bool chooses(llvm::ArrayRef<const clang::Stmt *> Ways, bool CountReturns) const {
    ChoiceFinder Choice(Launching, CountReturns);
    for (const clang::Stmt *Way : Ways)
      if (Way)
        Choice.TraverseStmt(const_cast<clang::Stmt *>(Way));
    return Choice.Found;
  }

  bool VisitIfStmt(clang::IfStmt *If) override {
    if (chooses({If->getThen(), If->getElse()}, ReturnsCount))
      add(If->getIfLoc(), If->getCond(), "decides what is launched");
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt *Switch) override {
    if (chooses({Switch->getBody()}, ReturnsCount))
      add(Switch->getSwitchLoc(), Switch->getCond(), "decides what is launched");
    return true;
  }
  bool VisitConditionalOperator(clang::ConditionalOperator *Choice) override {
    if (isKernel(Choice->getTrueExpr()) || isKernel(Choice->getFalseExpr()) ||
        chooses({Choice->getTrueExpr(), Choice->getFalseExpr()}, false))
      add(Choice->getQuestionLoc(), Choice->getCond(), "decides what is launched");
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *Operator) override {
    if (Operator->isLogicalOp() && chooses({Operator->getRHS()}, false))
      add(Operator->getOperatorLoc(), Operator->getLHS(), "decides what is launched");
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *Call) override {
    // The grid and the block; streams may well be taken in turn.
    if (const auto *Launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(Call)) {
      const clang::CallExpr *Config = Launch->getConfig();
      for (unsigned I = 0; I < 2 && I < Config->getNumArgs(); ++I)
        add(Config->getArg(I)->getExprLoc(), Config->getArg(I), "decides the size of a launch");
    } else if (const unsigned First = sizeArgument(Call->getDirectCallee())) {
      for (unsigned I = First; I < First + 2 && I < Call->getNumArgs(); ++I)
        add(Call->getArg(I)->getExprLoc(), Call->getArg(I), "decides the size of a launch");
    }
    return true;
  }
  // A lambda is a unit of its own.
  bool TraverseLambdaExpr(clang::LambdaExpr *) override { return true; }
};

} // namespace

void CallCounterCheck::run(CheckContext &Context) const {
  std::vector<const clang::FunctionDecl *> Functions;
  for (const auto &Unit : Context.program().units())
    if (Unit->function() && Unit->IsReached && !Unit->IsForeign &&
        !isDeviceOnly(Unit->function()) && Unit->function()->getBody())
      Functions.push_back(Unit->function());
  CounterFlow Flow(findCounters(Context, Functions));
  Flow.follow(Functions);
  const auto Launching = launchingFunctions(Context);
  DecisionFinder Decisions(Flow, Launching);
  for (const clang::FunctionDecl *F : Functions) {
    // Leaving a function early matters where it would have launched, or returned a tensor.
    Decisions.ReturnsCount = Launching.count(F->getCanonicalDecl()) ||
                             Context.symbols().mentionsTensor(F->getReturnType());
    Decisions.TraverseStmt(F->getBody());
  }
  for (const auto &[Where, Counter, What] : Decisions.Found) {
    Report &R =
        Context.report(*this, Level::Reject, Where,
                       "the number of calls, counted in '" + Counter->getName() + "', " + What);
    Context.note(R, Counter->getLocation(), "here is the counter");
  }
}

} // namespace cupel
