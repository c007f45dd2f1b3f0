//===- HostAggregates.cpp - HostFlow over parts of values -------------------===//
//
// The value of an aggregate is the union of its parts and, beside them, a Group that tells which is
// which: pairs, tuples, structs and lists keep their parts apart wherever they go. An access to
// what no Group describes gives all of it, and a Choice which says that one of it is meant.
//
//===----------------------------------------------------------------------===//

#include "HostFlow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"
#include <numeric>

using namespace clang;

namespace cupel {

TensorSet HostFlow::group(const Expr *Site, QualType Type, llvm::ArrayRef<TensorSet> Parts) {
  TensorSet All;
  for (const TensorSet &Part : Parts)
    All.insert(Part.begin(), Part.end());
  if (All.empty() || Parts.size() < 2)
    return All;
  TensorObject *&Group = Relations[{Site, Frames.back().Site, Call, false}];
  if (!Group) {
    Group = &Objects.emplace_back();
    Group->From = TensorObject::Source::Group;
    Group->Type = Type;
    Group->Parts.resize(Parts.size());
  }
  for (size_t I = 0; I < Parts.size() && I < Group->Parts.size(); ++I)
    Group->Parts[I].insert(Parts[I].begin(), Parts[I].end());
  All.insert(Group);
  return All;
}

TensorSet HostFlow::partOf(const TensorSet &Values, std::optional<unsigned> Index, size_t Count,
                           const Expr *Site, QualType Part) {
  TensorSet Inside, Result;
  // A list of pairs holds the pairs' groups, and perhaps none of its own.
  auto isPart = [&](const TensorObject *Group) {
    return !Part.isNull() && !Group->Type.isNull() &&
           Context.ast().hasSameUnqualifiedType(Group->Type.getNonReferenceType(),
                                                Part.getNonReferenceType());
  };
  auto fits = [&](const TensorObject *Group) {
    return Group->From == TensorObject::Source::Group && !isPart(Group) &&
           (Count == 0 || Group->Parts.size() == Count) && (!Index || *Index < Group->Parts.size());
  };
  for (const TensorObject *Group : Values)
    if (Group->From == TensorObject::Source::Group)
      for (const TensorSet &Part : Group->Parts)
        Inside.insert(Part.begin(), Part.end());
  // The outermost groups; those inside of others are parts.
  for (TensorObject *Group : Values) {
    if (Inside.count(Group))
      continue;
    if (!fits(Group)) {
      Result.insert(Group);
      if (Group->From == TensorObject::Source::Group)
        for (const TensorSet &Part : Group->Parts)
          Result.insert(Part.begin(), Part.end());
      continue;
    }
    for (unsigned I = 0; I < Group->Parts.size(); ++I)
      if (!Index || I == *Index)
        Result.insert(Group->Parts[I].begin(), Group->Parts[I].end());
  }
  std::erase_if(Result, [&](TensorObject *Object) { return !Values.count(Object); });
  TensorSet Memory = Result;
  std::erase_if(Memory, [](const TensorObject *Object) { return !Object->isMemory(); });
  if (Memory.size() < 2)
    return Result;
  TensorObject *&Choice = Relations[{Site, Frames.back().Site, Call, true}];
  if (!Choice) {
    Choice = &Objects.emplace_back();
    Choice->From = TensorObject::Source::Choice;
    Choice->Parts.resize(1);
  }
  Choice->Parts[0].insert(Memory.begin(), Memory.end());
  Result.insert(Choice);
  return Result;
}

TensorSet HostFlow::evaluateList(const Expr *List) {
  std::vector<TensorSet> Parts;
  for (const Stmt *Child : List->children())
    Parts.push_back(evaluate(dyn_cast_if_present<Expr>(Child)));
  return group(List, List->getType(), Parts);
}

namespace {

/// A part of an aggregate as an expression names it.
struct PartName {
  const Expr *Whole = nullptr;
  std::optional<unsigned> Index; ///< None: any of them.
  size_t Count = 0;              ///< Of the aggregate's parts; 0: not known.
};

} // namespace

static std::optional<unsigned> constantIndex(const Expr *Index, const ASTContext &AST) {
  Expr::EvalResult Result;
  if (Index->isValueDependent() || !Index->getType()->isIntegerType() ||
      !Index->EvaluateAsInt(Result, AST))
    return std::nullopt;
  return Result.Val.getInt().getLimitedValue(UINT_MAX);
}

/// The part that `object.field` names.
static PartName nameOfField(const MemberExpr *Member, const Symbols &Names) {
  const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
  const auto *Class = Field ? dyn_cast<CXXRecordDecl>(Field->getParent()) : nullptr;
  if (!Class)
    return {};
  // The base of `std::pair` has no data; it is made by its two arguments.
  const unsigned Bases = Names.isStandardDecl(Class) ? 0 : Class->getNumBases();
  return {Member->getBase(), Bases + Field->getFieldIndex(),
          Bases + static_cast<size_t>(std::distance(Class->field_begin(), Class->field_end()))};
}

/// `object.field` and `array[index]`.
TensorSet HostFlow::evaluateMember(const Expr *E) {
  PartName Part;
  TensorSet Values;
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    Values = evaluate(Member->getBase());
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    const auto *Class = Field ? dyn_cast<CXXRecordDecl>(Field->getParent()) : nullptr;
    if (Class && Class->isUnion())
      return Values;
    if (const TensorSet Owners = ownersIn(Values, Class); !Owners.empty()) {
      for (TensorObject *Owner : Owners)
        Values.erase(Owner);
      Values.merge(contentsOf({Owners, Field}));
    }
    Part = nameOfField(Member, Context.symbols());
  } else {
    const auto *Subscript = cast<ArraySubscriptExpr>(E);
    Values = evaluate(Subscript->getBase());
    evaluate(Subscript->getIdx());
    Part.Index = constantIndex(Subscript->getIdx(), Context.ast());
  }
  if (!E->getType().isNull() && E->getType()->isArithmeticType())
    return {};
  return partOf(Values, Part.Index, Part.Count, E, E->getType());
}

/// The part that \p E names of what is no pointer: `s.field`, `array[1]`, `list[1]`,
/// `std::get<1>(tuple)`.
static PartName nameOfPart(const Expr *E, const CheckContext &Context) {
  static const llvm::StringSet<> Sequences = {"std::vector", "std::array"};
  const Symbols &Names = Context.symbols();
  E = E->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(E)) {
    const CXXRecordDecl *Class = Member->getBase()->getType()->getAsCXXRecordDecl();
    return Member->isArrow() || !Class || Class->isUnion() ? PartName()
                                                           : nameOfField(Member, Names);
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
    const Expr *Array = Subscript->getBase()->IgnoreParenImpCasts();
    return Array->getType()->isArrayType()
               ? PartName{Array, constantIndex(Subscript->getIdx(), Context.ast())}
               : PartName();
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F || !Call->getNumArgs() || !Names.isStandardDecl(F))
    return {};
  if (const auto *Method = dyn_cast<CXXMethodDecl>(F))
    return F->getOverloadedOperator() == OO_Subscript && Call->getNumArgs() == 2 &&
                   Sequences.contains(Names.qualifiedName(Method->getParent()))
               ? PartName{Call->getArg(0), constantIndex(Call->getArg(1), Context.ast())}
               : PartName();
  const TemplateArgumentList *Arguments = F->getTemplateSpecializationArgs();
  const bool IsGet = Names.qualifiedName(F) == "std::get" && Arguments && Arguments->size() &&
                     Arguments->get(0).getKind() == TemplateArgument::Integral;
  return IsGet ? PartName{Call->getArg(0),
                          static_cast<unsigned>(
                              Arguments->get(0).getAsIntegral().getLimitedValue(UINT_MAX))}
               : PartName();
}

/// `tuple.part = values`, where the whole is a variable that holds nothing but one known aggregate.
bool HostFlow::replacePart(const Expr *Target, const TensorSet &Values) {
  const PartName Part = nameOfPart(Target, Context);
  const auto *Whole =
      Part.Whole ? dyn_cast<DeclRefExpr>(Part.Whole->IgnoreParenImpCasts()) : nullptr;
  const VarDecl *Root = Whole && Part.Index ? wholeNamedBy(Whole) : nullptr;
  if (!Root || Root->hasGlobalStorage())
    return false;
  TensorSet &Held = Now.Variables[Root];
  const QualType Type = Root->getType().getNonReferenceType();
  // The first field of a struct that holds nothing so far.
  if (Held.empty() && *Part.Index < Part.Count && isa<MemberExpr>(Target->IgnoreParenImpCasts())) {
    std::vector<TensorSet> Parts(Part.Count);
    Parts[*Part.Index] = Values;
    Held = group(Target, Type, Parts);
    return true;
  }
  for (const TensorObject *Group : Held) {
    if (Group->From != TensorObject::Source::Group || *Part.Index >= Group->Parts.size() ||
        (Part.Count && Part.Count != Group->Parts.size()))
      continue;
    std::vector<TensorSet> Parts = Group->Parts;
    const size_t Inside = std::accumulate(Parts.begin(), Parts.end(), TensorSet(),
                                          [](TensorSet All, const TensorSet &Some) {
                                            All.insert(Some.begin(), Some.end());
                                            return All;
                                          })
                              .size();
    if (Held.size() != Inside + 1)
      continue;
    Parts[*Part.Index] = Values;
    Held = group(Target, Type, Parts);
    return true;
  }
  return false;
}

TensorSet HostFlow::evaluateBinding(const Expr *Reference) {
  const auto *Binding = cast<BindingDecl>(cast<DeclRefExpr>(Reference)->getDecl());
  const auto *Whole = dyn_cast_if_present<DecompositionDecl>(Binding->getDecomposedDecl());
  if (!Whole || (!Binding->getType().isNull() && Binding->getType()->isArithmeticType()))
    return {};
  TensorSet Values = Now.Variables[Whole];
  if (auto Alias = Aliases.find(Whole); Alias != Aliases.end()) {
    const TensorSet &Behind = Now.Variables[Alias->second];
    Values.insert(Behind.begin(), Behind.end());
  }
  const auto Bindings = Whole->bindings();
  const unsigned Index = llvm::find(Bindings, Binding) - Bindings.begin();
  return partOf(Values, Index, Bindings.size(), Reference, Reference->getType());
}

/// `std::tie(a, b) = values`.
void HostFlow::assignTied(const CallExpr *Tie, const TensorSet &Values) {
  for (unsigned I = 0; I < Tie->getNumArgs(); ++I)
    if (!Tie->getArg(I)->getType()->isArithmeticType())
      assign(Tie->getArg(I),
             partOf(Values, I, Tie->getNumArgs(), Tie->getArg(I), Tie->getArg(I)->getType()));
}

} // namespace cupel
