//===- Counters.cpp - values that follow from the number of calls -----------===//

#include "Counters.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cupel {

/// The variable or field that \p Target names as a whole.
static const ValueDecl *named(const Expr *Target) {
  Target = Target->IgnoreParenImpCasts();
  if (const auto *Reference = dyn_cast<DeclRefExpr>(Target))
    return dyn_cast<VarDecl>(Reference->getDecl());
  if (const auto *Member = dyn_cast<MemberExpr>(Target))
    return dyn_cast<FieldDecl>(Member->getMemberDecl());
  return nullptr;
}

namespace {

/// Looks for the variables that the captures of lambdas make: `[n = 0]`.
struct CaptureFinder : DynamicRecursiveASTVisitor {
  llvm::SmallPtrSet<const VarDecl *, 4> Found;
  bool VisitLambdaExpr(LambdaExpr *Lambda) override {
    for (const LambdaCapture &Capture : Lambda->captures())
      if (Lambda->isInitCapture(&Capture))
        Found.insert(cast<VarDecl>(Capture.getCapturedVar()));
    return true;
  }
};

/// Looks for classes with objects that outlive a call, and for those with objects that do not:
/// variables, also behind pointers, and what smart pointers and containers hold.
struct ObjectFinder : DynamicRecursiveASTVisitor {
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Static, Local;
  CaptureFinder Kept; ///< Of lambdas in static variables.

  void add(QualType T, bool IsStatic) {
    T = T.getNonReferenceType();
    while (T->isPointerType() || T->isArrayType())
      T = T->isPointerType() ? T->getPointeeType()
                             : QualType(T->getArrayElementTypeNoTypeQual(), 0);
    const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
    if (!Record || !(IsStatic ? Static : Local).insert(Record->getCanonicalDecl()).second)
      return;
    if (const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(Record))
      for (const TemplateArgument &Argument : Instance->getTemplateArgs().asArray())
        if (Argument.getKind() == TemplateArgument::Type)
          add(Argument.getAsType(), IsStatic);
    // An object holds its members for as long as it lives.
    if (const CXXRecordDecl *Definition = Record->getDefinition(); Definition && IsStatic)
      for (const FieldDecl *Field : Definition->fields())
        add(Field->getType(), true);
  }
  bool VisitVarDecl(VarDecl *V) override {
    if (V->getType().isNull())
      return true;
    // References and pointers may well refer to the static object.
    if (V->hasGlobalStorage() ||
        !(V->getType()->isReferenceType() || V->getType()->isPointerType()))
      add(V->getType(), V->hasGlobalStorage());
    if (V->hasGlobalStorage() && V->getInit())
      Kept.TraverseStmt(V->getInit());
    return true;
  }
};

/// Whether \p E mentions a parameter or a local that is made from one: no fixed amount.
bool dependsOnCall(const Stmt *S, unsigned Depth = 0) {
  if (!S || Depth > 16)
    return S != nullptr;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(S)) {
    const auto *V = dyn_cast<VarDecl>(Reference->getDecl());
    if (!V || V->hasGlobalStorage())
      return false;
    return isa<ParmVarDecl>(V) || !V->getInit() || dependsOnCall(V->getInit(), Depth + 1);
  }
  return llvm::any_of(S->children(),
                      [&](const Stmt *Child) { return dependsOnCall(Child, Depth + 1); });
}

enum class Relation { None, Same, Stepped };

/// What \p E is of the variable \p V: something else, its value, or its value and a fixed step.
Relation relation(const Expr *E, const ValueDecl *V, unsigned Depth = 0) {
  if (!E || Depth > 16)
    return Relation::None;
  E = E->IgnoreParenCasts();
  if (const ValueDecl *Other = named(E)) {
    if (Other == V)
      return Relation::Same;
    const auto *Local = dyn_cast<VarDecl>(Other);
    return Local && Local->hasLocalStorage() && !isa<ParmVarDecl>(Local)
               ? relation(Local->getInit(), V, Depth + 1)
               : Relation::None;
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    const Relation Left = relation(Binary->getLHS(), V, Depth + 1);
    const Relation Right = relation(Binary->getRHS(), V, Depth + 1);
    if (Left == Relation::Stepped || Right == Relation::Stepped)
      return Binary->isComparisonOp() ? Relation::None : Relation::Stepped;
    const Expr *Step = Left == Relation::Same ? Binary->getRHS() : Binary->getLHS();
    return (Left != Right) && Binary->isAdditiveOp() && !dependsOnCall(Step) ? Relation::Stepped
                                                                             : Relation::None;
  }
  if (const auto *Conditional = dyn_cast<AbstractConditionalOperator>(E))
    return std::max(relation(Conditional->getTrueExpr(), V, Depth + 1),
                    relation(Conditional->getFalseExpr(), V, Depth + 1));
  if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
    return relation(Temporary->getSubExpr(), V, Depth + 1);
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    Relation Found = Relation::None;
    for (const Expr *Argument : Call->arguments()) // `std::min(n + 1, 10)`
      Found = std::max(Found, relation(Argument, V, Depth + 1));
    return Found;
  }
  return Relation::None;
}

/// Looks for steps of what outlives a call.
struct StepFinder : DynamicRecursiveASTVisitor {
  explicit StepFinder(const ObjectFinder &Objects) : Objects(Objects) {
    ShouldVisitTemplateInstantiations = true;
  }

  const ObjectFinder &Objects;
  Counters Found;

  /// The list or map of `calls[key]`, else \p Target.
  static const Expr *wholeOf(const Expr *Target) {
    for (;;) {
      Target = Target->IgnoreParenImpCasts();
      const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Target);
      if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Target))
        Target = Subscript->getBase();
      else if (Operator && Operator->getOperator() == OO_Subscript)
        Target = Operator->getArg(0);
      else
        return Target;
    }
  }

  const ValueDecl *kept(const Expr *Target) const {
    const ValueDecl *D = named(wholeOf(Target));
    if (!D || D->getType()->isBooleanType())
      return nullptr;
    if (const auto *V = dyn_cast<VarDecl>(D))
      return V->hasGlobalStorage() || Objects.Kept.Found.count(V) ? V : nullptr;
    const auto *Record = dyn_cast<CXXRecordDecl>(cast<FieldDecl>(D)->getParent());
    const bool IsStatic = Record && Objects.Static.count(Record->getCanonicalDecl()) &&
                          !Objects.Local.count(Record->getCanonicalDecl());
    return IsStatic ? D : nullptr;
  }
  void add(const Expr *Target) {
    if (const ValueDecl *D = kept(Target))
      Found.insert(D);
  }
  bool VisitUnaryOperator(UnaryOperator *Operator) override {
    if (Operator->isIncrementDecrementOp())
      add(Operator->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Operator) override {
    if (Operator->isCompoundAssignmentOp()) {
      // What is added may be a truth, but not a size: `capacity += n`.
      const Expr *Step = Operator->getRHS()->IgnoreParenImpCasts();
      if (Step->getType()->isBooleanType() || !dependsOnCall(Step))
        add(Operator->getLHS());
    } else if (Operator->getOpcode() == BO_Assign) {
      const ValueDecl *D = kept(Operator->getLHS());
      if (D && relation(Operator->getRHS(), D) == Relation::Stepped)
        Found.insert(D);
    }
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *Call) override {
    // `++count` of a std::atomic.
    if (Call->getOperator() == OO_PlusPlus || Call->getOperator() == OO_MinusMinus ||
        Call->getOperator() == OO_PlusEqual || Call->getOperator() == OO_MinusEqual)
      add(Call->getArg(0));
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *Call) override {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (Method && Method->getDeclName().isIdentifier() &&
        (Method->getName() == "fetch_add" || Method->getName() == "fetch_sub"))
      add(Call->getImplicitObjectArgument());
    return true;
  }
};

/// What a function sets to something else whatever happens counts within one call:
/// `arena.used = 0;` at its start.
void removeReset(const FunctionDecl &F, Counters &Found) {
  const auto *Body = dyn_cast_if_present<CompoundStmt>(F.getBody());
  if (!Body)
    return;
  for (const Stmt *S : Body->body()) {
    const auto *E = dyn_cast<Expr>(S);
    const auto *Operator = E ? dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts()) : nullptr;
    const ValueDecl *D =
        Operator && Operator->getOpcode() == BO_Assign ? named(Operator->getLHS()) : nullptr;
    Expr::EvalResult Value;
    if (D && !Operator->getRHS()->isValueDependent() &&
        Operator->getRHS()->EvaluateAsInt(Value, D->getASTContext()))
      Found.erase(D);
  }
}

} // namespace

Counters findCounters(CheckContext &Context, llvm::ArrayRef<const FunctionDecl *> Functions) {
  ObjectFinder Objects;
  for (Decl *D : Context.program().declarations())
    Objects.TraverseDecl(D);
  StepFinder Steps(Objects);
  for (Decl *D : Context.program().declarations())
    Steps.TraverseDecl(D);
  for (const FunctionDecl *F : Functions)
    removeReset(*F, Steps.Found);
  return std::move(Steps.Found);
}

void CounterFlow::follow(llvm::ArrayRef<const FunctionDecl *> Functions) {
  do {
    HasGrown = false;
    for (const FunctionDecl *F : Functions) {
      Function = F->getCanonicalDecl();
      TraverseStmt(F->getBody());
    }
  } while (HasGrown);
}

/// Whether a value of type \p T can carry a decision: a number, a truth, the size of a launch.
static bool carriesChoice(QualType T) {
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  return T->isArithmeticType() ||
         (Record && Record->getDeclName().isIdentifier() && Record->getName() == "dim3");
}

bool CounterFlow::VisitVarDecl(VarDecl *V) {
  if (V->getInit() && carriesChoice(V->getType().getNonReferenceType()) && counterIn(V->getInit()))
    add(V);
  return true;
}

bool CounterFlow::VisitBinaryOperator(BinaryOperator *Operator) {
  const auto *V = Operator->isAssignmentOp()
                      ? dyn_cast_if_present<VarDecl>(named(Operator->getLHS()))
                      : nullptr;
  if (V && V->hasLocalStorage() && carriesChoice(V->getType()) && counterIn(Operator->getRHS()))
    add(V);
  return true;
}

void CounterFlow::addResult(const ValueDecl *Counter) {
  if (Function && Function->getReturnType()->isIntegerType())
    HasGrown |= Returns.try_emplace(Function, Counter).second;
}

bool CounterFlow::VisitReturnStmt(ReturnStmt *Return) {
  const Expr *Value = Return->getRetValue();
  if (const ValueDecl *Counter = Value ? counterIn(Value) : nullptr)
    addResult(Counter);
  return true;
}

namespace {

/// Locals that a branch assigns, and whether it returns.
struct OutcomeFinder : DynamicRecursiveASTVisitor {
  llvm::SmallPtrSet<const VarDecl *, 4> Assigned;
  bool Returns = false;
  bool VisitBinaryOperator(BinaryOperator *Operator) override {
    const auto *V = Operator->isAssignmentOp()
                        ? dyn_cast_if_present<VarDecl>(named(Operator->getLHS()))
                        : nullptr;
    if (V && V->hasLocalStorage() && carriesChoice(V->getType()))
      Assigned.insert(V);
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *) override { return Returns = true; }
};

} // namespace

bool CounterFlow::VisitIfStmt(IfStmt *If) {
  const ValueDecl *Counter = counterIn(If->getCond());
  if (!Counter)
    return true;
  OutcomeFinder Outcome;
  Outcome.TraverseStmt(If->getThen());
  if (If->getElse())
    Outcome.TraverseStmt(If->getElse());
  for (const VarDecl *V : Outcome.Assigned)
    add(V);
  if (Outcome.Returns)
    addResult(Counter);
  return true;
}

bool CounterFlow::VisitCallExpr(CallExpr *Call) {
  const FunctionDecl *F = Call->getDirectCallee();
  const FunctionDecl *Definition = nullptr;
  if (!F || isDeviceOnly(F) || !F->hasBody(Definition))
    return true;
  const unsigned First = isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(F) ? 1 : 0;
  for (unsigned I = First; I < Call->getNumArgs() && I - First < Definition->getNumParams(); ++I) {
    const ParmVarDecl *P = Definition->getParamDecl(I - First);
    if (carriesChoice(P->getType().getNonReferenceType()) && counterIn(Call->getArg(I)))
      add(P);
  }
  return true;
}

const ValueDecl *CounterFlow::counterIn(const Stmt *S) const {
  if (!S || isa<LambdaExpr>(S))
    return nullptr;
  if (const auto *E = dyn_cast<Expr>(S))
    if (const ValueDecl *D = named(E); D && Known.count(D))
      return D;
  if (const auto *Call = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = Call->getDirectCallee();
    if (const ValueDecl *Counter = F ? Returns.lookup(F->getCanonicalDecl()) : nullptr)
      return Counter;
  }
  for (const Stmt *Child : S->children())
    if (const ValueDecl *Counter = counterIn(Child))
      return Counter;
  return nullptr;
}

} // namespace cupel
