//===- EntryStatements.cpp - statements in a call of the entry --------------===//

#include "EntryRun.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cupel {

/// Whether control may leave \p S otherwise than at its end: a return, a jump, or a break out of
/// what surrounds it. Lambdas and local classes are code of their own.
static bool mayLeave(const Stmt *S, bool BreaksStay = false) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  if (isa<ReturnStmt, CoreturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(S))
    return true;
  if (isa<BreakStmt, ContinueStmt>(S))
    return !BreaksStay;
  BreaksStay |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(S);
  return llvm::any_of(S->children(), [&](const Stmt *C) { return mayLeave(C, BreaksStay); });
}

EntryRun::Flow EntryRun::passOver(const Stmt *S) {
  if (!S)
    return Flow::Next;
  forget(S);
  return mayLeave(S) ? Flow::Unclear : Flow::Next;
}

EntryRun::Flow EntryRun::execute(const Stmt *S) {
  if (!S)
    return Flow::Next;
  if (++Steps > StepLimit || Depth > DepthLimit)
    return Flow::Unclear;
  llvm::SaveAndRestore Nested(Depth, Depth + 1);
  auto After = [&](Flow Otherwise) { return Ended != Flow::Next ? Ended : Otherwise; };
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    llvm::SmallVector<const Stmt *, 16> List(C->body());
    return executeList(List);
  }
  if (const auto *E = dyn_cast<Expr>(S)) {
    evaluate(E);
    return After(Flow::Next);
  }
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *Each : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Each); V && V->hasLocalStorage()) {
        Value Init = V->getInit() ? evaluate(V->getInit()) : Value();
        if (Ended != Flow::Next)
          return Ended;
        set(V, std::move(Init));
      }
    return Flow::Next;
  }
  if (const auto *R = dyn_cast<ReturnStmt>(S)) {
    Value V = R->getRetValue() ? evaluate(R->getRetValue()) : Value();
    Returned = std::move(V);
    return After(Flow::Return);
  }
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    if (If->getInit() && execute(If->getInit()) != Flow::Next)
      return After(Flow::Unclear);
    if (If->isConsteval() || If->getConditionVariable())
      return passOver(If);
    return executeBranch(If->getCond(), If->getThen(), If->getElse());
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return executeSwitch(*Switch);
  if (const auto *A = dyn_cast<AttributedStmt>(S))
    return execute(A->getSubStmt());
  if (isa<NullStmt>(S))
    return Flow::Next;
  if (isa<BreakStmt>(S))
    return Flow::Break;
  // What a loop runs how often and what a handler catches is not known.
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, CXXTryStmt>(S))
    return passOver(S);
  return Flow::Unclear;
}

EntryRun::Flow EntryRun::executeList(llvm::ArrayRef<const Stmt *> List) {
  for (const Stmt *S : List)
    if (Flow How = execute(S); How != Flow::Next)
      return How;
  return Flow::Next;
}

EntryRun::Flow EntryRun::executeBranch(const Expr *Condition, const Stmt *Then, const Stmt *Else) {
  const Value V = evaluate(Condition);
  if (Ended != Flow::Next)
    return Ended;
  const std::optional<bool> Truth = V.truth();
  if (!Truth) {
    const Flow A = passOver(Then), B = passOver(Else);
    return A == Flow::Next ? B : A;
  }
  Taken.emplace_back(Condition, *Truth);
  const Flow How = execute(*Truth ? Then : Else);
  Taken.pop_back();
  return How;
}

/// The statement behind all labels of \p S, and whether one of them is \p Wanted (none: default).
static const Stmt *behindLabels(const Stmt *S, std::optional<int64_t> Wanted, ASTContext &AST,
                                bool &Matches, bool &IsClear) {
  while (const auto *Label = dyn_cast<SwitchCase>(S)) {
    if (const auto *Case = dyn_cast<CaseStmt>(Label)) {
      const Expr *E = Case->getLHS();
      if (Case->getRHS() || E->isValueDependent() || E->containsErrors())
        IsClear = false;
      else if (Wanted && E->EvaluateKnownConstInt(AST).getExtValue() == *Wanted)
        Matches = true;
    } else if (!Wanted) {
      Matches = true;
    }
    S = Label->getSubStmt();
  }
  return S;
}

EntryRun::Flow EntryRun::executeSwitch(const SwitchStmt &S) {
  if (S.getInit() || S.getConditionVariable())
    return passOver(&S);
  const Value V = evaluate(S.getCond());
  if (Ended != Flow::Next)
    return Ended;
  const auto *Body = dyn_cast<CompoundStmt>(S.getBody());
  if (V.Is != Value::Kind::Integer || !Body)
    return passOver(&S);
  bool IsClear = true;
  // The case of the value, else the default.
  for (std::optional<int64_t> Wanted : {std::optional(V.Integer), std::optional<int64_t>()}) {
    llvm::SmallVector<const Stmt *, 16> Rest;
    bool Matches = false;
    for (const Stmt *Each : Body->body()) {
      const Stmt *Inner = behindLabels(Each, Wanted, Context.ast(), Matches, IsClear);
      if (Matches)
        Rest.push_back(Inner);
    }
    if (!IsClear)
      return passOver(&S);
    if (Rest.empty())
      continue;
    Taken.emplace_back(S.getCond(), true);
    const Flow How = executeList(Rest);
    Taken.pop_back();
    return How == Flow::Break ? Flow::Next : How;
  }
  return Flow::Next;
}

} // namespace cupel
