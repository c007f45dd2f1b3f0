//===- HostPlaces.cpp - HostFlow over objects on the heap -------------------===//
//
// `static Plan *plan = new Plan;`: what the object holds outlives the call wherever the pointer
// goes. An object that `new` or `std::make_shared` makes is a value, so that pointers to it are
// followed like tensors; what its fields hold is kept apart, a field at a time.
//
//===----------------------------------------------------------------------===//

#include "HostFlow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cupel {

TensorSet HostFlow::makeHeapObject(const Expr *Site, QualType Type, TensorSet Inside) {
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return Inside;
  TensorObject *&Object = Relations[{Site, Frames.back().Site, Call, false}];
  if (!Object) {
    Object = &Objects.emplace_back();
    Object->From = TensorObject::Source::Heap;
    Object->Class = Class->getDefinition();
    Object->Where = Site->getExprLoc();
    Object->BornIn = Call;
  }
  HasHeapObjects = true;
  Now.Fields[{Object, nullptr}] = std::move(Inside);
  return {Object};
}

/// The heap objects among \p Values that are a \p Class.
TensorSet HostFlow::ownersIn(const TensorSet &Values, const CXXRecordDecl *Class) const {
  TensorSet Owners;
  if (HasHeapObjects && Class && Class->hasDefinition())
    for (TensorObject *Object : Values)
      if (Object->isHeap() && (Object->Class == Class->getDefinition() ||
                               Object->Class->isDerivedFrom(Class->getDefinition())))
        Owners.insert(Object);
  return Owners;
}

HostFlow::Place HostFlow::placeOf(const Expr *E) {
  if (!HasHeapObjects)
    return {};
  E = E->IgnoreParenCasts();
  auto inexact = [](Place P) {
    P.IsExact = false;
    return P;
  };
  auto pointedToBy = [&](const Expr *Pointer) {
    return Place{ownersIn(evaluate(Pointer), E->getType()->getAsCXXRecordDecl())};
  };
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
    auto Found = References.find(dyn_cast<VarDecl>(Reference->getDecl()));
    return Found != References.end() ? Found->second : Place();
  }
  if (isa<CXXThisExpr>(E))
    return Frames.back().ThisPlace;
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field)
      return {};
    TensorSet Owners =
        ownersIn(evaluate(Member->getBase()), dyn_cast<CXXRecordDecl>(Field->getParent()));
    if (!Owners.empty())
      return {std::move(Owners), Field};
    // A part of a part; an arrow from any but `this` leads elsewhere.
    const bool IsInside = !Member->isArrow() || isa<CXXThisExpr>(Member->getBase()->IgnoreCasts());
    return IsInside ? inexact(placeOf(Member->getBase())) : Place();
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
    if (Unary->getOpcode() == UO_AddrOf)
      return placeOf(Unary->getSubExpr());
    return Unary->getOpcode() == UO_Deref ? pointedToBy(Unary->getSubExpr()) : Place();
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return inexact(placeOf(Subscript->getBase()));
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    if (Operator->getOperator() == OO_Star && Operator->getNumArgs() == 1)
      return pointedToBy(Operator->getArg(0));
    return Operator->getNumArgs() ? inexact(placeOf(Operator->getArg(0))) : Place();
  }
  if (!isa<CallExpr>(E) || !E->isLValue())
    return {};
  if (const auto *Method = dyn_cast<CXXMemberCallExpr>(E)) // `list.back()`
    if (Place Inside = placeBehind(Method->getImplicitObjectArgument()); !Inside.Owners.empty())
      return inexact(std::move(Inside));
  return pointedToBy(E);
}

/// The place of the object of a member call, of which an arrow gives the address.
HostFlow::Place HostFlow::placeBehind(const Expr *Object) {
  const QualType T = Object->getType();
  if (!HasHeapObjects || !T->isPointerType() || isa<CXXThisExpr>(Object->IgnoreParenCasts()))
    return placeOf(Object);
  return {ownersIn(evaluate(Object), T->getPointeeCXXRecordDecl())};
}

TensorSet HostFlow::contentsOf(const Place &P) const {
  TensorSet Values;
  for (TensorObject *Owner : P.Owners)
    for (auto At = Now.Fields.lower_bound({Owner, nullptr});
         At != Now.Fields.end() && At->first.first == Owner; ++At)
      if (!P.Field || !At->first.second || At->first.second == P.Field)
        Values.insert(At->second.begin(), At->second.end());
  return Values;
}

TensorSet HostFlow::withContents(TensorSet Values) const {
  if (!HasHeapObjects)
    return Values;
  std::vector<TensorObject *> Open(Values.begin(), Values.end());
  while (!Open.empty()) {
    TensorObject *Owner = Open.back();
    Open.pop_back();
    if (Owner->isHeap())
      for (TensorObject *Inside : contentsOf({{Owner}}))
        if (Values.insert(Inside).second)
          Open.push_back(Inside);
  }
  return Values;
}

TensorSet HostFlow::copyOf(TensorSet Values, const CXXRecordDecl &Class) const {
  const TensorSet Copied = ownersIn(Values, &Class);
  for (TensorObject *Owner : Copied)
    Values.erase(Owner);
  Values.merge(contentsOf({Copied}));
  return Values;
}

void HostFlow::store(const Place &To, const TensorSet &Values, SourceLocation Where) {
  for (TensorObject *Owner : To.Owners) {
    TensorSet &Held = Now.Fields[{Owner, To.Field}];
    if (To.IsExact && To.Owners.size() == 1)
      Held = Values;
    else
      Held.insert(Values.begin(), Values.end());
    if (Owner->KeptAt.isValid())
      keep(withContents(Values), Where);
  }
}

void HostFlow::keep(const TensorSet &Values, SourceLocation Where) {
  for (TensorObject *Object : Values)
    if (Object->KeptAt.isInvalid())
      Object->KeptAt = Where;
}

} // namespace cupel
