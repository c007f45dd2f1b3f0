//===- CodeWalker.cpp - from a function body to the uses in it --------------===//

#include "CodeWalker.h"
#include "BranchConditions.h"
#include "ValueRanges.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cupel {

namespace {

using Branch = FunctionUse::Branch;
using Kind = FunctionUse::Kind;

class CodeWalker : public DynamicRecursiveASTVisitor {
  using Base = DynamicRecursiveASTVisitor;

public:
  CodeWalker(CodeUnit &Unit, const ParsedPass &Pass, const Symbols &Names, bool IsEntry,
             CodeSink &Sink)
      : Unit(Unit), Pass(Pass), Names(Names), IsEntry(IsEntry), Sink(Sink) {
    ShouldVisitImplicitCode = true;
  }

  void walk() {
    if (const FunctionDecl *F = Unit.function())
      walkFunction(F);
    else if (const VarDecl *V = Unit.variable())
      walkVariable(const_cast<VarDecl *>(V));
  }

  // Types and attributes hold no evaluated code; explicit template arguments are evaluated where
  // the instance uses them.
  bool TraverseType(QualType, bool = true) override { return true; }
  bool TraverseTypeLoc(TypeLoc, bool = true) override { return true; }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc) override { return true; }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &) override { return true; }
  bool TraverseAttr(Attr *) override { return true; }
  bool TraverseConceptReference(ConceptReference *) override { return true; }

  // Operands that are not evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override { return true; }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr *) override { return true; }
  bool TraverseRequiresExpr(RequiresExpr *) override { return true; }
  bool TraverseConceptSpecializationExpr(ConceptSpecializationExpr *) override { return true; }
  bool TraverseCXXTypeidExpr(CXXTypeidExpr *E) override {
    return !E->isPotentiallyEvaluated() || Base::TraverseCXXTypeidExpr(E);
  }
  bool TraverseGenericSelectionExpr(GenericSelectionExpr *E) override {
    return E->isResultDependent() || TraverseStmt(E->getResultExpr());
  }
  bool TraverseInitListExpr(InitListExpr *E) override {
    InitListExpr *Semantic = E->isSemanticForm() ? E : E->getSemanticForm();
    for (Expr *Init : (Semantic ? Semantic : E)->inits())
      if (!TraverseStmt(Init))
        return false;
    return !E->hasArrayFiller() || TraverseStmt(E->getArrayFiller());
  }

  // Defaults of headers' functions and fields are the headers' business.
  bool TraverseCXXDefaultArgExpr(CXXDefaultArgExpr *E) override {
    return !Names.isSubmissionDecl(E->getParam()) || TraverseStmt(E->getExpr());
  }
  bool TraverseCXXDefaultInitExpr(CXXDefaultInitExpr *E) override {
    return !Names.isSubmissionDecl(E->getField()) || TraverseStmt(E->getExpr());
  }

  bool TraverseLambdaExpr(LambdaExpr *E) override {
    for (Expr *Init : E->capture_inits())
      if (Init && !TraverseStmt(Init))
        return false;
    foundLambda(E);
    return true;
  }

  bool TraverseDecl(Decl *D) override {
    if (auto *V = dyn_cast_or_null<VarDecl>(D)) {
      walkVariable(V);
      if (auto *Binding = dyn_cast<DecompositionDecl>(V))
        for (BindingDecl *B : Binding->bindings())
          if (VarDecl *Holder = B->getHoldingVar())
            walkVariable(Holder);
    } else if (isa_and_nonnull<TagDecl, FunctionDecl>(D)) {
      Sink.foundLocalDecl(D, Unit.IsPattern);
    }
    return true;
  }

  // Control flow.
  bool TraverseIfStmt(IfStmt *S) override {
    if (!TraverseStmt(S->getInit()) || !TraverseStmt(S->getConditionVariableDeclStmt()) ||
        (!S->isConstexpr() && !TraverseStmt(S->getCond())))
      return false;
    std::optional<bool> Value = constantCondition(S->getCond(), Pass.context());
    CpuProof Proof = proofOf(S->getCond());
    return walkBranch(S->getThen(), Value == false, Proof.WhenTrue, S->getCond(), true) &&
           walkBranch(S->getElse(), Value == true, Proof.WhenFalse, S->getCond(), false);
  }
  bool TraverseConditionalOperator(ConditionalOperator *E) override {
    std::optional<bool> Value = constantCondition(E->getCond(), Pass.context());
    CpuProof Proof = proofOf(E->getCond());
    return TraverseStmt(E->getCond()) &&
           walkBranch(E->getTrueExpr(), Value == false, Proof.WhenTrue, E->getCond(), true) &&
           walkBranch(E->getFalseExpr(), Value == true, Proof.WhenFalse, E->getCond(), false);
  }
  bool TraverseWhileStmt(WhileStmt *S) override {
    return TraverseStmt(S->getConditionVariableDeclStmt()) && TraverseStmt(S->getCond()) &&
           walkBranch(S->getBody(), neverRuns(S, Pass.context()), false);
  }
  bool TraverseForStmt(ForStmt *S) override {
    const bool Never = neverRuns(S, Pass.context());
    return TraverseStmt(S->getInit()) && TraverseStmt(S->getConditionVariableDeclStmt()) &&
           TraverseStmt(S->getCond()) && walkBranch(S->getInc(), Never, false) &&
           walkBranch(S->getBody(), Never, false);
  }
  bool TraverseSwitchStmt(SwitchStmt *S) override {
    llvm::SaveAndRestore Saved(In);
    if (!TraverseStmt(S->getInit()) || !TraverseStmt(S->getConditionVariableDeclStmt()) ||
        !TraverseStmt(S->getCond()))
      return false;
    if (In == Branch::Live && !hasGotoLabel(S->getBody()) && fitsNoCase(S, Pass.context()))
      In = Branch::Dead;
    return TraverseStmt(S->getBody());
  }
  bool TraverseCompoundStmt(CompoundStmt *S) override {
    llvm::SaveAndRestore Saved(In);
    for (Stmt *Child : S->body()) {
      if (In != Branch::Live && hasEntryLabel(Child))
        In = Saved.get();
      if (!TraverseStmt(Child))
        return false;
      if (In != Branch::Live)
        continue;
      if (neverFallsThrough(Child))
        In = Branch::Dead;
      else if (auto *If = dyn_cast<IfStmt>(Child); If && neverFallsThrough(If->getThen()))
        In = restAfter(If);
    }
    return true;
  }

  // Uses.
  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *F = E->getDirectCallee();
    if (!F)
      return true;
    const Expr *Callee = E->getCallee()->IgnoreParenImpCasts();
    Consumed.insert(Callee);
    SourceLocation Place = Callee->getBeginLoc();
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E))
      Place = O->getOperatorLoc();
    else if (const auto *M = dyn_cast<MemberExpr>(Callee))
      Place = M->getMemberLoc();
    add(Kind::Call, F, E, Place);
    if (const FunctionDecl *Forward = forwardBehind(F))
      add(Kind::Address, Forward, E, Place);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    reference(E->getDecl(), E, E->getBeginLoc());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) override {
    reference(E->getMemberDecl(), E, E->getMemberLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    add(Kind::Call, E->getConstructor(), E, E->getLocation());
    destroy(E->getType(), E->getLocation());
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *E) override {
    add(Kind::Call, E->getConstructor(), E, E->getLocation());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *E) override {
    destroy(E->getType(), E->getExprLoc());
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *E) override {
    if (QualType T = E->getDestroyedType(); !T.isNull())
      destroy(T, E->getExprLoc());
    return true;
  }
  bool VisitOverloadExpr(OverloadExpr *E) override {
    for (const NamedDecl *D : E->decls())
      if (const NamedDecl *Target = D->getUnderlyingDecl())
        if (const FunctionDecl *F = Target->getAsFunction()) {
          add(Kind::Unresolved, F, E, E->getNameLoc());
          break;
        }
    return true;
  }

private:
  /// The `forward` that torch calls in `torch::autograd::Function<T>::apply`; null of others.
  const FunctionDecl *forwardBehind(const FunctionDecl *F) const {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    const auto *Base =
        Method ? dyn_cast<ClassTemplateSpecializationDecl>(Method->getParent()) : nullptr;
    if (!Base || Names.qualifiedName(F) != "torch::autograd::Function::apply" ||
        Base->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
      return nullptr;
    const CXXRecordDecl *Class = Base->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
    if (!Class)
      return nullptr;
    for (const CXXMethodDecl *Own : Class->methods())
      if (Own->getIdentifier() && Own->getName() == "forward")
        return Own;
    return nullptr;
  }

  void walkFunction(const FunctionDecl *F) {
    if (const auto *C = dyn_cast<CXXConstructorDecl>(F))
      for (const CXXCtorInitializer *Init : C->inits())
        TraverseStmt(Init->getInit());
    TraverseStmt(F->getBody());
    if (const auto *D = dyn_cast<CXXDestructorDecl>(F))
      destroyParts(D->getParent(), D->getLocation());
  }

  void walkVariable(VarDecl *V) {
    TraverseStmt(V->getInit());
    if (!V->getType()->isReferenceType())
      destroy(V->getType(), V->getLocation());
  }

  CpuProof proofOf(const Expr *Condition) const {
    return IsEntry ? cpuProof(Condition, Unit.function(), Names) : CpuProof();
  }

  bool walkBranch(Stmt *S, bool IsDead, bool IsCpu, const Expr *Condition = nullptr,
                  bool Value = true) {
    llvm::SaveAndRestore Saved(In);
    llvm::SaveAndRestore SavedGuard(Guard, Condition ? Condition : Guard);
    llvm::SaveAndRestore SavedValue(GuardValue, Condition ? Value : GuardValue);
    if (In == Branch::Live && (IsDead || IsCpu) && !hasEntryLabel(S))
      In = IsDead ? Branch::Dead : Branch::CpuOnly;
    return TraverseStmt(S);
  }

  /// What follows an if whose then-part leaves the function.
  Branch restAfter(const IfStmt *If) const {
    if (constantCondition(If->getCond(), Pass.context()) == true)
      return Branch::Dead;
    return proofOf(If->getCond()).WhenFalse ? Branch::CpuOnly : Branch::Live;
  }

  void reference(const ValueDecl *D, const Expr *Site, SourceLocation Place) {
    if (const auto *F = dyn_cast<FunctionDecl>(D)) {
      if (!Consumed.contains(Site))
        add(Kind::Address, F, Site, Place);
    } else if (const auto *V = dyn_cast<VarDecl>(D);
               V && V->hasGlobalStorage() && !V->isStaticLocal()) {
      Unit.Variables.push_back(V);
    }
  }

  void foundLambda(const LambdaExpr *E) {
    FunctionTemplateDecl *Generic = E->getDependentCallOperator();
    if (!Generic)
      return foundLambda(E, E->getCallOperator(), Unit.IsPattern);
    bool HasInstance = false;
    for (FunctionDecl *Instance : Generic->specializations()) {
      if (!Instance->hasBody())
        continue;
      HasInstance = true;
      foundLambda(E, cast<CXXMethodDecl>(Instance), Unit.IsPattern);
    }
    if (!HasInstance)
      foundLambda(E, E->getCallOperator(), true);
  }

  void foundLambda(const LambdaExpr *E, const CXXMethodDecl *Operator, bool IsPattern) {
    Sink.foundLambda(Operator, IsPattern);
    add(Kind::Address, Operator, E, E->getBeginLoc());
  }

  /// An object of \p T ends: its destructor and those of its parts run.
  void destroy(QualType T, SourceLocation Place) {
    const CXXRecordDecl *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!R || !R->hasDefinition() || R->isDependentContext() || !Names.isDefinedHere(R))
      return;
    const CXXDestructorDecl *D = R->getDestructor();
    if (D && D->isUserProvided())
      add(Kind::Call, D, nullptr, Place);
    else if (Destroyed.insert(R).second)
      destroyParts(R, Place);
  }

  void destroyParts(const CXXRecordDecl *R, SourceLocation Place) {
    for (const FieldDecl *F : R->fields())
      destroy(F->getType(), Place);
    for (const CXXBaseSpecifier &B : R->bases())
      destroy(B.getType(), Place);
  }

  void add(Kind How, const FunctionDecl *Callee, const Expr *Site, SourceLocation Place) {
    auto Use = std::make_unique<FunctionUse>();
    Use->How = How;
    Use->Callee = Callee;
    Use->Site = Site;
    Use->Location = Place.isValid() ? Place : Unit.Decl->getLocation();
    Use->Caller = &Unit;
    Use->In = In;
    Use->Guard = Guard;
    Use->GuardValue = GuardValue;
    Unit.Uses.push_back(std::move(Use));
  }

  CodeUnit &Unit;
  const ParsedPass &Pass;
  const Symbols &Names;
  bool IsEntry;
  CodeSink &Sink;
  Branch In = Branch::Live;
  const Expr *Guard = nullptr;
  bool GuardValue = true;
  llvm::DenseSet<const Expr *> Consumed; ///< Callees of calls, which are no addresses.
  llvm::DenseSet<const CXXRecordDecl *> Destroyed;
};

} // namespace

void collectUses(CodeUnit &Unit, const ParsedPass &Pass, const Symbols &Names, bool IsEntry,
                 CodeSink &Sink) {
  CodeWalker(Unit, Pass, Names, IsEntry, Sink).walk();
}

} // namespace cupel
