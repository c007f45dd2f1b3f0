//===- HostSleep.cpp - timing-host-sleep -----------------------------------===//

#include "HostSleep.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace clang;

namespace cupel {

HostSleepCheck::HostSleepCheck()
    : Check("timing-host-sleep", Level::Reject, "The host sleeps or spins in the call") {}

namespace {

/// What a loop does in which nothing happens but that time goes by.
struct LoopReader : DynamicRecursiveASTVisitor {
  const Symbols &Names;
  bool ReadsClock = false; ///< A clock.
  bool ReadsFlag = false;  ///< A volatile or atomic variable, of which somebody else knows.
  bool CountsOnly = false; ///< Its own volatile counter.
  bool Stores = false;     ///< Changes a variable of its own.
  bool DoesWork = false;   ///< Anything that is seen outside.
  std::set<const FunctionDecl *> Followed;

  explicit LoopReader(const Symbols &Names) : Names(Names) {}

  static const VarDecl *local(const Expr *E) {
    const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
    const auto *V = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    return V && V->hasLocalStorage() && !V->getType()->isReferenceType() ? V : nullptr;
  }
  void store(const Expr *Target) {
    const VarDecl *V = local(Target);
    DoesWork |= !V;
    Stores = true;
    CountsOnly |= V && V->getType().isVolatileQualified();
  }
  bool VisitBinaryOperator(BinaryOperator *Operator) override {
    if (Operator->isAssignmentOp())
      store(Operator->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Operator) override {
    if (Operator->isIncrementDecrementOp())
      store(Operator->getSubExpr());
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) override {
    const Expr *From = Cast->getSubExpr();
    if (Cast->getCastKind() == CK_LValueToRValue && From->getType().isVolatileQualified())
      ReadsFlag |= !local(From);
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) override {
    static const llvm::StringSet<> Pauses = {"_mm_pause", "__builtin_ia32_pause",
                                             "std::this_thread::yield", "sched_yield"};
    const FunctionDecl *F = Call->getDirectCallee();
    const llvm::StringRef Name = F ? Names.qualifiedName(F) : "";
    const FunctionDecl *Definition = nullptr;
    if (F && Names.isDefinedHere(F) && F->hasBody(Definition)) {
      if (Followed.insert(Definition).second)
        TraverseStmt(Definition->getBody());
      return true;
    }
    const bool IsClock = isHostClock(Name);
    const bool IsFlag = Name.starts_with("std::atomic") || Name.starts_with("std::__atomic_base");
    const bool IsLoad =
        Name.ends_with("::load") || (F && isa<CXXConversionDecl>(F)) || Name.ends_with("::test");
    ReadsClock |= IsClock;
    ReadsFlag |= IsFlag && IsLoad;
    DoesWork |= !IsClock && !(IsFlag && IsLoad) && !Pauses.contains(Name) &&
                !Name.starts_with("std::chrono::");
    return true;
  }
  bool VisitCXXThrowExpr(CXXThrowExpr *) override { return !(DoesWork = true); }
  bool VisitAsmStmt(AsmStmt *) override { return DoesWork = true; }
  bool VisitCXXNewExpr(CXXNewExpr *) override { return DoesWork = true; }
};

/// The loops of a function that wait.
struct WaitFinder : DynamicRecursiveASTVisitor {
  CheckContext &Context;
  const Check &C;
  WaitFinder(CheckContext &Context, const Check &C) : Context(Context), C(C) {}

  bool TraverseLambdaExpr(LambdaExpr *) override { return true; } // A function of its own.
  bool VisitWhileStmt(WhileStmt *Loop) override { return look(Loop, Loop->getBody()); }
  bool VisitDoStmt(DoStmt *Loop) override { return look(Loop, Loop->getBody()); }
  bool VisitForStmt(ForStmt *Loop) override { return look(Loop, Loop->getBody()); }

  bool look(Stmt *Loop, const Stmt *Body) {
    LoopReader Reader(Context.symbols());
    Reader.TraverseStmt(Loop);
    const auto *Block = dyn_cast<CompoundStmt>(Body);
    const bool IsEmpty = isa<NullStmt>(Body) || (Block && Block->body_empty());
    if (Reader.DoesWork)
      return true;
    const char *What = Reader.ReadsClock ? "this loop does nothing until a clock says so"
                       : Reader.ReadsFlag && !Reader.Stores
                           ? "this loop does nothing until a flag changes"
                       : Reader.CountsOnly && IsEmpty ? "this loop does nothing but count"
                                                      : nullptr;
    if (What)
      Context.report(C, Level::Reject, Loop->getBeginLoc(), What);
    return true;
  }
};

} // namespace

void HostSleepCheck::run(CheckContext &Context) const {
  for (const auto &Unit : Context.program().units()) {
    const FunctionDecl *F = Unit->function();
    if (F && !isDeviceOnly(F) && !Unit->IsForeign && !Unit->IsPattern &&
        (Unit->IsReached || Unit->RunsAtLoad))
      WaitFinder(Context, *this).TraverseStmt(F->getBody());
  }
  reportNamedUses(Context, *this, Level::Reject,
                  {"sleep", "usleep", "nanosleep", "clock_nanosleep", "std::this_thread::sleep_for",
                   "std::this_thread::sleep_until", "std::this_thread::__sleep_for", "poll",
                   "select", "pselect", "ppoll", "epoll_wait", "sched_yield", "pause"},
                  "makes the host wait");
}

} // namespace cupel
