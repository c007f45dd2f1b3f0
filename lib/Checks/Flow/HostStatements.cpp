//===- HostStatements.cpp - HostFlow over statements ------------------------===//

#include "../BranchConditions.h"
#include "../ValueRanges.h"
#include "HostFlow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

/// Statements and expressions for one submission; the largest of 1,500 public ones takes a tenth.
static constexpr unsigned StepLimit = 400'000;

HostFlow::State HostFlow::join(const State &A, const State &B) {
  State Result = A;
  for (const auto &[Variable, Values] : B.Variables)
    Result.Variables[Variable].insert(Values.begin(), Values.end());
  for (const auto &[Field, Values] : B.Fields)
    Result.Fields[Field].insert(Values.begin(), Values.end());
  std::erase_if(Result.Copies, [&](const auto &Copy) { return !B.Copies.count(Copy.first); });
  Result.Written.clear();
  for (const auto &[One, Other] : {std::pair(&A, &B), std::pair(&B, &A)})
    for (TensorObject *Object : One->Written)
      if (Other->Written.count(Object) || !Other->mayHold(*Object))
        Result.Written.insert(Object);
  return Result;
}

/// Whether something on this way may lead to \p Object: what one branch allocates, another of them
/// cannot return.
bool HostFlow::State::mayHold(const TensorObject &Object) const {
  if (!Object.Site)
    return true; // Not made by host code, so that no variable needs to hold it.
  auto isIn = [&](const auto &Entry) {
    return Entry.second.count(const_cast<TensorObject *>(&Object)) != 0;
  };
  return llvm::any_of(Variables, isIn) || llvm::any_of(Fields, isIn);
}

namespace {

/// Looks for what makes a condition a guard: emptiness, or a tensor's place.
struct GuardFinder : DynamicRecursiveASTVisitor {
  bool IsGuard = false;
  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || !F->getDeclName().isIdentifier())
      return true;
    llvm::StringRef Name = F->getName();
    IsGuard |= Name == "numel" || Name == "is_cuda" || Name == "is_cpu" || Name == "device" ||
               Name == "empty" || Name == "is_empty" || Name == "nelement" || Name == "get_device";
    return true;
  }
  bool VisitIntegerLiteral(IntegerLiteral *Literal) override {
    IsGuard |= Literal->getValue() == 0; // `rows == 0`
    return true;
  }
};

/// Counts the uses of a variable and those that only read it.
struct UseFinder : DynamicRecursiveASTVisitor {
  const VarDecl *Variable = nullptr;
  unsigned All = 0, Reads = 0;
  bool isUse(const Expr *E) const {
    const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParens());
    return Reference && Reference->getDecl() == Variable;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Reference) override {
    All += isUse(Reference);
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *Cast) override {
    Reads += Cast->getCastKind() == CK_LValueToRValue && isUse(Cast->getSubExpr());
    return true;
  }
};

bool isGuard(const Expr *Condition) {
  GuardFinder Finder;
  Finder.TraverseStmt(const_cast<Expr *>(Condition));
  return Finder.IsGuard;
}

} // namespace

HostFlow::Flow HostFlow::executeBranches(llvm::ArrayRef<const Stmt *> Alternatives) {
  const State Before = Now;
  std::optional<State> After;
  ++Branches;
  for (const Stmt *Branch : Alternatives) {
    Now = Before;
    if (!Branch || execute(Branch) == Flow::Goes)
      After = After ? join(*After, Now) : Now;
  }
  --Branches;
  Now = After.value_or(Before);
  return After ? Flow::Goes : Flow::Ends;
}

HostFlow::Flow HostFlow::executeIf(const Stmt *S) {
  const auto *If = cast<IfStmt>(S);
  if (If->getInit())
    execute(If->getInit());
  if (const VarDecl *V = If->getConditionVariable())
    declare(V);
  evaluate(If->getCond());
  if (std::optional<bool> Value = constantCondition(If->getCond(), Context.ast())) {
    const Stmt *Taken = *Value ? If->getThen() : If->getElse();
    return Taken ? execute(Taken) : Flow::Goes;
  }
  const bool Guarded = isGuard(If->getCond());
  Guards += Guarded;
  Flow Result = executeBranches({If->getThen(), If->getElse()});
  Guards -= Guarded;
  return Result;
}

/// What \p V, no reference, leads into for as long as it lives: `auto it = memo.find(key)`, a
/// pointer `&memo` that is never made to point elsewhere. Null for others.
static const Expr *leadsInto(const VarDecl *V, const Stmt *Body) {
  const Expr *Init = V->getInit()->IgnoreUnlessSpelledInSource();
  if (V->getType()->isPointerType()) {
    const auto *Address = dyn_cast<UnaryOperator>(Init->IgnoreParenCasts());
    UseFinder Uses;
    Uses.Variable = V;
    Uses.TraverseStmt(const_cast<Stmt *>(Body));
    return Address && Address->getOpcode() == UO_AddrOf && Uses.All == Uses.Reads
               ? Address->getSubExpr()
               : nullptr;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(Init)) // `memo.emplace(key, value).first`
    Init = Member->getBase()->IgnoreUnlessSpelledInSource();
  static const llvm::StringSet<> Finding = {
      "find", "try_emplace", "emplace", "insert", "insert_or_assign", "begin", "lower_bound"};
  const auto *Call = dyn_cast<CXXMemberCallExpr>(Init);
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  return Method && Method->getIdentifier() && Finding.contains(Method->getName())
             ? Call->getImplicitObjectArgument()
             : nullptr;
}

void HostFlow::declare(const VarDecl *V) {
  // What an earlier call left there is gone.
  if (!V->getInit() && V->hasLocalStorage())
    Now.Variables.erase(V);
  // A static variable is initialised once, however often its function is called.
  if (!V->getInit() || (V->isStaticLocal() && (Call > 1 || Now.Variables.count(V))))
    return;
  TensorSet Values = evaluate(V->getInit());
  if (V->getType()->isReferenceType())
    bindReference(V, V->getInit());
  else if (const Expr *Inside = leadsInto(V, Frames.back().Function->getBody());
           Inside && V->hasLocalStorage())
    if (const VarDecl *Root = rootOf(Inside); Root && Root->hasGlobalStorage())
      bindReference(V, Inside);
  if (V->isStaticLocal())
    keep(withContents(Values), V->getLocation());
  Now.Variables[V] = std::move(Values);
}

void HostFlow::leave(const Expr *Value, SourceLocation Where) {
  TensorSet Values = Value ? evaluate(Value) : TensorSet();
  Frame &Top = Frames.back();
  if (Frames.size() == 1) {
    Values = withContents(std::move(Values));
    std::vector<TensorSet> Choices;
    for (const TensorObject *Object : Values)
      if (Object->From == TensorObject::Source::Choice)
        Choices.push_back(Object->Parts[0]);
    std::erase_if(Values, [](const TensorObject *Object) { return !Object->isMemory(); });
    Returns.push_back({Where, Values, Now.Written, Call, Guards != 0, Branches != 0, Now.Copies,
                       std::move(Choices)});
  }
  Top.Result.insert(Values.begin(), Values.end());
  Top.AtReturn = Top.AtReturn ? join(*Top.AtReturn, Now) : Now;
}

/// Follows the body of a loop. Where buffers change places in it, a second round shows what each
/// variable holds after an even number of rounds.
void HostFlow::executeRounds(llvm::function_ref<void()> Round) {
  const unsigned Before = Exchanges;
  Round();
  if (Exchanges == Before)
    return;
  const State Once = Now;
  Round();
  Now = join(Once, Now);
}

HostFlow::Flow HostFlow::execute(const Stmt *S) {
  if (!S || !IsComplete)
    return Flow::Goes;
  if (++Steps > StepLimit) {
    IsComplete = false;
    return Flow::Goes;
  }
  switch (S->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    for (const Stmt *Child : cast<CompoundStmt>(S)->body())
      if (execute(Child) == Flow::Ends)
        return Flow::Ends;
    return Flow::Goes;
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls())
      if (const auto *V = dyn_cast<VarDecl>(D))
        declare(V);
    return Flow::Goes;
  case Stmt::ReturnStmtClass:
    leave(cast<ReturnStmt>(S)->getRetValue(), S->getBeginLoc());
    return Flow::Ends;
  case Stmt::IfStmtClass:
    return executeIf(S);
  case Stmt::ForStmtClass: {
    const auto *For = cast<ForStmt>(S);
    execute(For->getInit());
    execute(For->getCond());
    if (neverRuns(S, Context.ast()))
      return Flow::Goes;
    // A loop over pieces of the work runs at least once.
    executeRounds([&] {
      execute(For->getBody());
      execute(For->getInc());
    });
    return Flow::Goes;
  }
  case Stmt::WhileStmtClass:
    execute(cast<WhileStmt>(S)->getCond());
    if (neverRuns(S, Context.ast()))
      return Flow::Goes;
    executeRounds([&] { execute(cast<WhileStmt>(S)->getBody()); });
    return Flow::Goes;
  case Stmt::DoStmtClass: {
    Flow AtEnd = Flow::Goes;
    executeRounds([&] { AtEnd = execute(cast<DoStmt>(S)->getBody()); });
    return AtEnd;
  }
  case Stmt::CXXForRangeStmtClass: {
    const auto *For = cast<CXXForRangeStmt>(S);
    execute(For->getRangeStmt());
    Now.Variables[For->getLoopVariable()] =
        partOf(evaluate(For->getRangeInit()), std::nullopt, 0, For->getRangeInit(),
               For->getLoopVariable()->getType());
    if (const VarDecl *Root = rootOf(For->getRangeInit()))
      Aliases[For->getLoopVariable()] = Root;
    executeRounds([&] { execute(For->getBody()); });
    return Flow::Goes;
  }
  case Stmt::SwitchStmtClass:
    evaluate(cast<SwitchStmt>(S)->getCond());
    // One case or another: what each writes is taken as written.
    for (const Stmt *Child : S->children())
      if (Child && !isa<Expr>(Child))
        execute(Child);
    return Flow::Goes;
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    execute(cast<SwitchCase>(S)->getSubStmt());
    return Flow::Goes;
  case Stmt::CXXTryStmtClass: {
    const auto *Try = cast<CXXTryStmt>(S);
    std::vector<const Stmt *> Ways = {Try->getTryBlock()};
    for (unsigned I = 0; I < Try->getNumHandlers(); ++I)
      Ways.push_back(Try->getHandler(I)->getHandlerBlock());
    return executeBranches(Ways);
  }
  case Stmt::LabelStmtClass:
    return execute(cast<LabelStmt>(S)->getSubStmt());
  case Stmt::AttributedStmtClass:
    return execute(cast<AttributedStmt>(S)->getSubStmt());
  default:
    if (const auto *E = dyn_cast<Expr>(S)) {
      evaluate(E);
      const auto *Throw = dyn_cast<CXXThrowExpr>(E->IgnoreParenImpCasts());
      const auto *Called = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
      const FunctionDecl *F = Called ? Called->getDirectCallee() : nullptr;
      return Throw || (F && F->isNoReturn()) ? Flow::Ends : Flow::Goes;
    }
    return Flow::Goes;
  }
}

} // namespace cupel
