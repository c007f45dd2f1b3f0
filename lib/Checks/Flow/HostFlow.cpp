//===- HostFlow.cpp - which tensors a call writes, reads and returns --------===//

#include "HostFlow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cupel {

bool HostFlow::run(const FunctionDecl &Entry) {
  const FunctionDecl *Definition = nullptr;
  if (!Entry.hasBody(Definition))
    return false;
  for (Call = 1; Call <= 2; ++Call) {
    Now.Written.clear();
    Frames.assign(1, {});
    Frames.back().Function = Definition;
    for (const ParmVarDecl *P : Definition->parameters()) {
      Now.Variables[P].clear();
      if (!Context.symbols().mentionsTensor(P->getType()))
        continue;
      TensorObject &Object = Objects.emplace_back();
      Object.From = TensorObject::Source::Input;
      Object.Parameter = P;
      Object.Where = P->getLocation();
      Object.BornIn = Call;
      Object.HoldsInputData = true;
      Now.Variables[P] = {&Object};
      if (Call == 1)
        Inputs.push_back(&Object);
    }
    execute(Definition->getBody());
  }
  return IsComplete;
}

namespace {

/// Looks for what a function that returns a reference or pointer refers to.
struct ReturnFinder : DynamicRecursiveASTVisitor {
  const Expr *Value = nullptr;
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool VisitReturnStmt(ReturnStmt *Return) override {
    Value = Value ? Value : Return->getRetValue();
    return true;
  }
};

} // namespace

/// The static variable behind `Cache::instance()`: what outlives a call is often held so.
const VarDecl *HostFlow::staticBehind(const CallExpr *Site) const {
  const FunctionDecl *F = Site->getDirectCallee();
  const FunctionDecl *Definition = nullptr;
  if (!F || !(F->getReturnType()->isReferenceType() || F->getReturnType()->isPointerType()) ||
      !Context.symbols().isDefinedHere(F) || !F->hasBody(Definition))
    return nullptr;
  ReturnFinder Finder;
  Finder.TraverseStmt(Definition->getBody());
  // Only a plain name, so that functions that call each other end here.
  while (Finder.Value) {
    Finder.Value = Finder.Value->IgnoreParenCasts();
    const auto *Unary = dyn_cast<UnaryOperator>(Finder.Value);
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Finder.Value);
    if (Operator && Operator->getOperator() == OO_Star)
      Finder.Value = Operator->getArg(0); // A smart pointer.
    else if (Unary)
      Finder.Value = Unary->getSubExpr();
    else
      break;
  }
  const auto *Reference = dyn_cast_if_present<DeclRefExpr>(Finder.Value);
  const auto *V = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  return V && V->hasGlobalStorage() ? V : nullptr;
}

/// The variable that \p D names, or of which it names a part.
static const VarDecl *variableBehind(const ValueDecl *D) {
  if (const auto *Binding = dyn_cast<BindingDecl>(D))
    D = Binding->getDecomposedDecl();
  return dyn_cast<VarDecl>(D);
}

const VarDecl *HostFlow::rootOf(const Expr *E) const {
  while (E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = variableBehind(Reference->getDecl());
      auto Alias = Aliases.find(V);
      return Alias != Aliases.end() ? Alias->second : V;
    }
    if (isa<CXXThisExpr>(E))
      return Frames.back().This;
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase();
    else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      E = Subscript->getBase();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      E = Unary->getSubExpr();
    else if (const auto *Cast = dyn_cast<ExplicitCastExpr>(E))
      E = Cast->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temporary->getSubExpr();
    else if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(E))
      E = Cleanups->getSubExpr();
    else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E))
      E = Operator->getNumArgs() ? Operator->getArg(0) : nullptr; // `map[key]`, `*it`, `p->x`
    else if (const auto *Method = dyn_cast<CXXMemberCallExpr>(E))
      E = Method->getImplicitObjectArgument(); // `list.back()`
    else if (const auto *Function = dyn_cast<CallExpr>(E))
      return staticBehind(Function);
    else
      return nullptr;
  }
  return nullptr;
}

/// The variable of which \p E names all, itself or by a reference to it; null for parts, and for
/// what pointers lead to.
const VarDecl *HostFlow::wholeNamedBy(const Expr *E) const {
  const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *V = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  const VarDecl *Root = rootOf(E);
  return V && (V == Root || WholeAliases.count(V)) ? Root : nullptr;
}

void HostFlow::bindReference(const VarDecl *V, const Expr *To) {
  Aliases.erase(V);
  WholeAliases.erase(V);
  References.erase(V);
  if (Place P = placeOf(To); !P.Owners.empty()) {
    References[V] = std::move(P);
  } else if (const VarDecl *Root = rootOf(To); Root && Root != V) {
    Aliases[V] = Root;
    if (wholeNamedBy(To) && V->getType()->isReferenceType())
      WholeAliases.insert(V);
  }
}

void HostFlow::bindParameter(const ParmVarDecl *P, TensorSet Values, const Expr *Argument) {
  Now.Variables[P] = std::move(Values);
  Aliases.erase(P);
  WholeAliases.erase(P);
  References.erase(P);
  if (Argument && P->getType()->isReferenceType())
    bindReference(P, Argument);
}

/// Whether \p Target is reached through a pointer or iterator, and no part of a variable by itself.
static bool isPointedTo(const Expr *Target) {
  while (true) {
    Target = Target->IgnoreParenImpCasts();
    const auto *Member = dyn_cast<MemberExpr>(Target);
    const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Target);
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Target);
    if (Member && !Member->isArrow())
      Target = Member->getBase();
    else if (Subscript && Subscript->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      Target = Subscript->getBase();
    else if (Operator && Operator->getOperator() == OO_Subscript && Operator->getNumArgs())
      Target = Operator->getArg(0);
    else
      return isa<MemberExpr, ArraySubscriptExpr, UnaryOperator, CallExpr>(Target);
  }
}

static bool isPartOfThis(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  while (const auto *Member = dyn_cast<MemberExpr>(E))
    E = Member->getBase()->IgnoreParenImpCasts();
  return isa<CXXThisExpr>(E);
}

void HostFlow::assign(const Expr *Target, const TensorSet &Values) {
  if (Place To = placeOf(Target); !To.Owners.empty())
    return store(To, Values, Target->getExprLoc());
  if (replacePart(Target, Values))
    return;
  const VarDecl *Root = rootOf(Target);
  if (!Root) {
    // A member of what a constructor is making, which no variable holds yet.
    if (isPartOfThis(Target))
      Frames.back().ThisValue.insert(Values.begin(), Values.end());
    else
      write(evaluate(Target), holdsInput(Values));
    return;
  }
  // The variable that a pointer, or a reference whose variable is not known, leads to holds other
  // values now; no claim rests on what it held.
  const VarDecl *Whole = wholeNamedBy(Target);
  const bool LeadsElsewhere = Root->getType()->isReferenceType() ||
                              (!Whole && !Root->hasGlobalStorage() && isPointedTo(Target));
  if (LeadsElsewhere)
    write(Now.Variables[Root], holdsInput(Values));
  TensorSet &Held = Now.Variables[Root];
  if (Whole)
    Held = Values;
  else
    Held.insert(Values.begin(), Values.end());
  if (Root->hasGlobalStorage())
    keep(withContents(Values), Target->getExprLoc());
}

/// What a function stores through its argument \p Pointer: `cudaMalloc(&p, size)`.
void HostFlow::assignThrough(const Expr *Pointer, const TensorSet &Values) {
  const auto *Unary = dyn_cast<UnaryOperator>(Pointer->IgnoreParenCasts());
  assign(Unary && Unary->getOpcode() == UO_AddrOf ? Unary->getSubExpr() : Pointer, Values);
}

/// `p[i] = v`, `*p = v` and `p->x = v` write the memory that p points to.
void HostFlow::storeOnHost(const Expr *Target, const TensorSet &Values) {
  Target = Target->IgnoreParenImpCasts();
  const auto *Unary = dyn_cast<UnaryOperator>(Target);
  const auto *Member = dyn_cast<MemberExpr>(Target);
  const bool IsMemory = isa<ArraySubscriptExpr, CXXOperatorCallExpr>(Target) ||
                        (Unary && Unary->getOpcode() == UO_Deref) || (Member && Member->isArrow());
  const VarDecl *Root = IsMemory ? rootOf(Target) : nullptr;
  if (!Root)
    return;
  const TensorSet Held = Now.Variables[Root];
  if (Target->getType()->isArithmeticType()) {
    if (!Member)
      write(Held, true);
  } else if (Root->getType()->isPointerType() &&
             llvm::any_of(Held, [](const TensorObject *Object) { return Object->IsForHost; })) {
    // An address where kernels may find it.
    loseSight(Values, Target->getExprLoc());
  }
}

TensorSet HostFlow::evaluateAssignment(const Expr *Target, const Expr *Value) {
  TensorSet Values = evaluate(Value);
  evaluate(Target);
  storeOnHost(Target, Values);
  assign(Target, Values);
  return Values;
}

TensorSet HostFlow::valuesOf(const VarDecl *V) {
  TensorSet Values = WholeAliases.count(V) ? TensorSet() : Now.Variables[V];
  if (auto Alias = Aliases.find(V); Alias != Aliases.end()) {
    const TensorSet &Behind = Now.Variables[Alias->second];
    Values.insert(Behind.begin(), Behind.end());
  }
  if (auto Reference = References.find(V); Reference != References.end())
    Values.merge(contentsOf(Reference->second));
  return Values;
}

TensorSet HostFlow::evaluateChildren(const Expr *E) {
  TensorSet Values;
  for (const Stmt *Child : E->children())
    if (const auto *Part = dyn_cast_if_present<Expr>(Child)) {
      TensorSet Found = evaluate(Part);
      Values.insert(Found.begin(), Found.end());
    }
  return Values;
}

TensorSet HostFlow::evaluate(const Expr *E) {
  if (!E || !IsComplete)
    return {};
  ++Steps;
  E = E->IgnoreParens();
  const bool IsCall = isa<CallExpr, CXXConstructExpr>(E);
  if (IsCall)
    Sites.push_back(E);
  TensorSet Values = evaluateKind(E);
  if (IsCall)
    Sites.pop_back();
  return Values;
}

TensorSet HostFlow::evaluateKind(const Expr *E) {
  switch (E->getStmtClass()) {
  case Stmt::DeclRefExprClass: {
    const ValueDecl *D = cast<DeclRefExpr>(E)->getDecl();
    if (const auto *F = dyn_cast<FunctionDecl>(D); F && Context.symbols().isDefinedHere(F)) {
      if (!isDeviceOnly(F))
        return {codeOf(F)};
      addNamedKernel(*F);
      return {};
    }
    if (isDeviceVariable(D))
      return deviceMemory(cast<VarDecl>(D));
    if (isa<BindingDecl>(D))
      return evaluateBinding(E);
    const auto *V = dyn_cast<VarDecl>(D);
    return V ? valuesOf(V) : TensorSet();
  }
  case Stmt::CXXThisExprClass: {
    const Frame &Top = Frames.back();
    TensorSet Values = Top.This ? valuesOf(Top.This) : Top.ThisValue;
    if (Top.ThisPlace.Field)
      Values.merge(contentsOf(Top.ThisPlace));
    return Values;
  }
  case Stmt::InitListExprClass:
  case Stmt::CXXParenListInitExprClass:
    return evaluateList(E);
  case Stmt::MemberExprClass:
  case Stmt::ArraySubscriptExprClass:
    return evaluateMember(E);
  case Stmt::ArrayInitLoopExprClass:
    return evaluate(cast<ArrayInitLoopExpr>(E)->getCommonExpr());
  case Stmt::OpaqueValueExprClass:
    return evaluate(cast<OpaqueValueExpr>(E)->getSourceExpr());
  case Stmt::LambdaExprClass:
    return evaluateLambda(cast<LambdaExpr>(E));
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return evaluateConstruction(cast<CXXConstructExpr>(E));
  case Stmt::CXXNewExprClass: {
    const auto *New = cast<CXXNewExpr>(E);
    return makeHeapObject(New, New->getAllocatedType(), evaluateChildren(New));
  }
  case Stmt::CXXDefaultInitExprClass:
    return evaluate(cast<CXXDefaultInitExpr>(E)->getExpr());
  case Stmt::BinaryOperatorClass: {
    const auto *Binary = cast<BinaryOperator>(E);
    if (Binary->getOpcode() == BO_Assign)
      return evaluateAssignment(Binary->getLHS(), Binary->getRHS());
    // `uintptr_t(p) % 16` looks at the address alone.
    const bool IsOfAddress = Binary->getOpcode() == BO_Rem || Binary->getOpcode() == BO_And;
    TensorSet Values;
    for (const Expr *Side : {Binary->getLHS(), Binary->getRHS()})
      Values.merge(evaluate(IsOfAddress ? Side->IgnoreParenCasts() : Side));
    // `p + n` is the same memory; a comparison or a product of numbers is no memory at all.
    return E->getType()->isPointerType() ? Values : TensorSet();
  }
  case Stmt::CompoundAssignOperatorClass:
    storeOnHost(cast<BinaryOperator>(E)->getLHS(), {});
    evaluateChildren(E);
    return evaluate(cast<BinaryOperator>(E)->getLHS());
  case Stmt::ConditionalOperatorClass: {
    const auto *Conditional = cast<ConditionalOperator>(E);
    evaluate(Conditional->getCond());
    TensorSet Values = evaluate(Conditional->getTrueExpr());
    TensorSet Others = evaluate(Conditional->getFalseExpr());
    Values.insert(Others.begin(), Others.end());
    return Values;
  }
  case Stmt::CXXReinterpretCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXFunctionalCastExprClass: {
    TensorSet Values = evaluateChildren(E);
    // A number leads anywhere, also back to the memory.
    if (cast<CastExpr>(E)->getCastKind() == CK_PointerToIntegral)
      loseSight(Values, E->getExprLoc());
    return E->getType()->isArithmeticType() ? TensorSet() : Values;
  }
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::CXXTypeidExprClass:
    return {};
  case Stmt::CUDAKernelCallExprClass:
    launch(cast<CUDAKernelCallExpr>(E));
    return {};
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
    return evaluateCall(cast<CallExpr>(E));
  case Stmt::CXXDefaultArgExprClass:
    return {};
  default: {
    TensorSet Values = evaluateChildren(E);
    // A list of initialisers that Clang made nothing of has no type.
    return !E->getType().isNull() && E->getType()->isArithmeticType() ? TensorSet() : Values;
  }
  }
}

} // namespace cupel
