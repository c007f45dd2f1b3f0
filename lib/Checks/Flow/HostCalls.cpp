//===- HostCalls.cpp - HostFlow over calls and launches ---------------------===//

#include "../Fallback/AllowList.h"
#include "HostFlow.h"
#include "KernelBody.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

/// Whether the first argument is a list of sizes that are all integer constants.
static bool hasLiteralShape(const CallExpr *Site, const ASTContext &AST) {
  struct Finder : DynamicRecursiveASTVisitor {
    const InitListExpr *List = nullptr;
    bool VisitInitListExpr(InitListExpr *Found) override {
      List = List ? List : Found;
      return false;
    }
  } Search;
  if (Site->getNumArgs())
    Search.TraverseStmt(const_cast<Expr *>(Site->getArg(0)));
  return Search.List && Search.List->getNumInits() &&
         llvm::all_of(Search.List->inits(), [&](const Expr *Size) {
           Expr::EvalResult Result;
           return !Size->isValueDependent() && Size->getType()->isIntegerType() &&
                  Size->EvaluateAsInt(Result, AST) && Result.Val.getInt().getExtValue() > 1;
         });
}

/// Functions inside functions that are followed.
static constexpr size_t DepthLimit = 24;

bool HostFlow::holdsInput(const TensorSet &Values) const {
  return llvm::any_of(Values, [](const TensorObject *O) { return O->HoldsInputData; });
}

void HostFlow::read(const TensorSet &Values, SourceLocation Where) {
  for (TensorObject *Object : withContents(Values)) {
    Object->MayBeRead = true;
    if (Object->isMemory() && Object->From != TensorObject::Source::Input &&
        Object->HoldsInputData && Object->BornIn < Call && !Now.Written.count(Object))
      StaleReads.push_back({Where, Object});
  }
}

void HostFlow::write(const TensorSet &Values, bool FromInput, bool IsFill) {
  for (TensorObject *Object : withContents(Values)) {
    if (!Object->isMemory())
      continue;
    Object->MayBeWritten = true;
    Object->MayHoldWork |= !IsFill;
    Object->HoldsInputData |= FromInput;
    Now.Written.insert(Object);
    Now.Copies.erase(Object);
  }
}

/// Of memory whose address goes where it cannot be followed: any kernel may do anything with it.
void HostFlow::loseSight(const TensorSet &Values, SourceLocation Where) {
  write(Values, true);
  read(Values, Where);
  Stored = KernelEffects::Work::Computes;
}

/// Whether what a pointer or array of this type leads to is a pointer, or a class with one in it.
static bool holdsAddresses(QualType T) {
  const QualType Element =
      T->isPointerType() ? T->getPointeeType() : QualType(T->getPointeeOrArrayElementType(), 0);
  if (Element->isPointerType())
    return true;
  const CXXRecordDecl *Class = Element->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() && llvm::any_of(Class->fields(), [](const FieldDecl *F) {
           return F->getType()->isPointerType() ||
                  (F->getType()->isArrayType() && holdsAddresses(F->getType()));
         });
}

TensorObject *HostFlow::allocate(const CallExpr *Site, TensorObject::Source From) {
  // One object a call of the entry, place and the two calls around it, so that each use of a helper
  // makes its own; a loop's rounds share it.
  const Expr *Outer = Frames.size() > 1 ? Frames[Frames.size() - 2].Site : nullptr;
  TensorObject *&Object = Allocations[{Site, Call, Frames.back().Site, Outer}];
  if (!Object) {
    Object = &Objects.emplace_back();
    Object->From = From;
    Object->Where = Site->getExprLoc();
    Object->Site = Site;
    Object->BornIn = Call;
    Object->IsShapeLiteral = hasLiteralShape(Site, Context.ast());
  }
  return Object;
}

namespace {

/// Looks for a store through one parameter of a kernel: `p[i] = v`, `*p += v`, `atomicAdd(&p[i],
/// v)`.
struct StoreFinder : DynamicRecursiveASTVisitor {
  StoreFinder() { ShouldVisitTemplateInstantiations = true; }
  const ParmVarDecl *Parameter = nullptr;
  bool IsStored = false;

  bool isThrough(const Expr *E) const {
    bool IsMemory = false;
    while (E) {
      E = E->IgnoreParenCasts();
      if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
        E = Subscript->getBase();
        IsMemory = true;
      } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
        IsMemory |= Unary->getOpcode() == UO_Deref;
        E = Unary->getSubExpr();
      } else if (const auto *Sum = dyn_cast<BinaryOperator>(E)) {
        E = Sum->getLHS()->getType()->isPointerType() ? Sum->getLHS() : Sum->getRHS();
      } else if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
        return IsMemory && Reference->getDecl() == Parameter;
      } else {
        return false;
      }
    }
    return false;
  }

  bool VisitBinaryOperator(BinaryOperator *Operator) override {
    IsStored |= Operator->isAssignmentOp() && isThrough(Operator->getLHS());
    return !IsStored;
  }

  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (F && F->getDeclName().isIdentifier() && F->getName().starts_with("atomic") &&
        Call->getNumArgs())
      IsStored |= isThrough(Call->getArg(0));
    return !IsStored;
  }
};

bool storesThrough(const FunctionDecl &Kernel, unsigned Index) {
  const FunctionDecl *Definition = nullptr;
  if (!Kernel.hasBody(Definition) || Index >= Definition->getNumParams())
    return false;
  StoreFinder Finder;
  Finder.Parameter = Definition->getParamDecl(Index);
  Finder.TraverseStmt(Definition->getBody());
  return Finder.IsStored;
}

} // namespace

void HostFlow::launch(const CUDAKernelCallExpr *Launch) {
  ++LaunchCount;
  for (const Expr *Part : Launch->getConfig()->arguments())
    evaluate(Part);
  const FunctionDecl *Kernel = Launch->getDirectCallee();
  TensorSet Read, Written;
  bool IsSkipped = false;
  if (Kernel) {
    const KernelEffects &Known =
        effectsOf(*Kernel, threadsOfBlock(*Launch, Context.ast()).value_or(MaxThreadsOfBlock));
    Stored = std::max(Stored, Known.Stored);
    IsSkipped = isGateClosed(Known);
    const KernelEffects::Variables Kept = keptIn(Known);
    KernelEffects::Variables Stored = Known.Written;
    std::erase_if(Stored, [&](const VarDecl *V) { return Kept.count(V); });
    Read = deviceMemory(Known.Read);
    Read.merge(deviceMemory(Kept));
    Written = deviceMemory(Stored);
    Raised.insert(Known.Raised.begin(), Known.Raised.end());
  } else {
    Stored = KernelEffects::Work::Computes;
  }
  for (unsigned I = 0; I < Launch->getNumArgs(); ++I) {
    TensorSet Values = withContents(evaluate(Launch->getArg(I)));
    const bool IsKnown = Kernel && I < Kernel->getNumParams();
    if (IsKnown)
      Passed[{Kernel->getCanonicalDecl(), I}].insert(Values.begin(), Values.end());
    if (IsKnown && neverUses(*Kernel, I, Context))
      continue;
    const QualType T = IsKnown ? Kernel->getParamDecl(I)->getType() : Launch->getArg(I)->getType();
    Read.insert(Values.begin(), Values.end());
    // A structure that is only read may hold the address of what is written.
    if (!T->isPointerType() || !T->getPointeeType().isConstQualified() || holdsAddresses(T))
      Written.insert(Values.begin(), Values.end());
    if (IsKnown && Values.size() == 1 && storesThrough(*Kernel, I))
      (*Values.begin())->StoredAt = Launch->getExprLoc();
  }
  // What a kernel may write it need not read: the workspace of a later step is no stale read.
  TensorSet OnlyRead;
  std::set_difference(Read.begin(), Read.end(), Written.begin(), Written.end(),
                      std::inserter(OnlyRead, OnlyRead.end()));
  read(OnlyRead, Launch->getExprLoc());
  for (TensorObject *Object : Written)
    Object->MayBeRead = true;
  const TensorSet Before = Now.Written;
  write(Written, holdsInput(Read));
  // A kernel that is not known may have written any device variable, and no claim rests on what.
  if (!Kernel)
    for (const auto &[Variable, Object] : DeviceObjects)
      write({Object}, false);
  if (IsSkipped)
    Now.Written = Before;
}

TensorSet HostFlow::callInside(const FunctionDecl *F, const Expr *Object,
                               llvm::ArrayRef<const Expr *> Arguments) {
  const FunctionDecl *Definition = nullptr;
  std::vector<TensorSet> Values;
  for (const Expr *Argument : Arguments)
    Values.push_back(evaluate(Argument));
  const bool IsRecursive =
      llvm::any_of(Frames, [&](const Frame &Outer) { return Outer.Function == F; });
  if (!F->hasBody(Definition) || Frames.size() >= DepthLimit || IsRecursive) {
    TensorSet All;
    for (const TensorSet &Some : Values)
      All.insert(Some.begin(), Some.end());
    write(All, true);
    return All;
  }
  Frame Inner;
  Inner.Function = Definition;
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  std::map<const VarDecl *, TensorSet> Hidden;
  TensorSet Closures;
  if (Method && Method->getParent()->isLambda()) {
    Inner.This = Frames.back().This; // A captured `this`.
    Inner.ThisValue = Frames.back().ThisValue;
    Inner.ThisPlace = Frames.back().ThisPlace;
    if (Object)
      Hidden = showCopies(Closures = evaluate(Object), *Method->getParent());
  } else if (Object) {
    Inner.This = rootOf(Object);
    Inner.ThisValue = evaluate(Object);
    Inner.ThisPlace = placeBehind(Object);
  }
  for (unsigned I = 0; I < Definition->getNumParams(); ++I) {
    const ParmVarDecl *P = Definition->getParamDecl(I);
    bindParameter(P, I < Values.size() ? Values[I] : TensorSet(),
                  I < Arguments.size() ? Arguments[I] : nullptr);
  }
  TensorSet Result = enter(Definition, std::move(Inner)).Result;
  if (Method)
    hideCopies(std::move(Hidden), Closures, *Method);
  return Result;
}

/// Whether a value of type \p T can hold or point to a tensor's memory.
static bool carriesMemory(QualType T, const Symbols &Names) {
  T = T.getNonReferenceType();
  if (T->isPointerType() || Names.mentionsTensor(T))
    return true;
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  return Record && !Names.qualifiedName(Record).starts_with("c10::");
}

/// Operators whose result is a tensor of its own: none that assigns, calls or takes a part.
static bool isComputingOperator(OverloadedOperatorKind Kind) {
  switch (Kind) {
  case OO_Plus:
  case OO_Minus:
  case OO_Star:
  case OO_Slash:
  case OO_Percent:
  case OO_Caret:
  case OO_Amp:
  case OO_Pipe:
  case OO_Tilde:
  case OO_Exclaim:
  case OO_Less:
  case OO_Greater:
  case OO_LessEqual:
  case OO_GreaterEqual:
  case OO_EqualEqual:
  case OO_ExclaimEqual:
  case OO_LessLess:
  case OO_GreaterGreater:
    return true;
  default:
    return false;
  }
}

/// Whether torch computes new tensors here: no view, copy, conversion or helper.
static bool computesTensor(const CallExpr &Site, const FunctionDecl &F, const Symbols &Names) {
  const llvm::StringRef Scope = Names.qualifiedName(&F);
  if (Scope == "torch::autograd::Function::apply")
    return true;
  if (isComputingOperator(F.getOverloadedOperator()))
    return Names.mentionsTensor(Site.getType()) && !Site.isLValue();
  if (!F.getDeclName().isIdentifier() || isAllowedHelper(Scope) ||
      !(Scope.starts_with("at::") || Scope.starts_with("torch::")) ||
      !Names.mentionsTensor(Site.getType()))
    return false;
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  const bool IsTensors = !Method || Scope.starts_with("at::Tensor::");
  return IsTensors && !Site.getType()->isReferenceType() && !Site.isLValue() &&
         allowanceOfOperator(F.getName()) == Allowance::Computes;
}

/// Whether \p Value is made of constants and tensors' sizes only.
static bool isConstantOrSize(const Expr *Value) {
  struct Finder : DynamicRecursiveASTVisitor {
    bool IsOther = false;
    bool VisitDeclRefExpr(DeclRefExpr *Reference) override {
      const auto *V = dyn_cast<VarDecl>(Reference->getDecl());
      const bool IsTensor = V && V->getType().getNonReferenceType()->isRecordType();
      IsOther |= V && !IsTensor && !V->getType().isConstQualified();
      return !IsOther;
    }
    bool VisitMemberExpr(MemberExpr *Member) override {
      IsOther |= isa<FieldDecl>(Member->getMemberDecl());
      return !IsOther;
    }
    bool VisitCallExpr(CallExpr *Call) override {
      static const llvm::StringSet<> Sizes = {"size", "numel", "dim"};
      const FunctionDecl *F = Call->getDirectCallee();
      IsOther |= !F || !F->getDeclName().isIdentifier() || !Sizes.contains(F->getName());
      return !IsOther;
    }
  } Search;
  Search.TraverseStmt(const_cast<Expr *>(Value));
  return !Search.IsOther;
}

/// Whether the torch function \p F writes constants and nothing else.
static bool fillsWithConstant(const FunctionDecl &F, llvm::ArrayRef<const Expr *> Arguments) {
  static const llvm::StringSet<> Constant = {"zeros",     "zeros_like", "ones",  "ones_like",
                                             "new_zeros", "new_ones",   "zero_", "arange"};
  static const llvm::StringSet<> OfValue = {"full", "full_like", "new_full", "fill_",
                                            "scalar_tensor"};
  if (!F.getDeclName().isIdentifier())
    return false;
  if (Constant.contains(F.getName()))
    return true;
  const bool IsOnlyArgument = Arguments.size() == 1 || F.getName() == "scalar_tensor";
  return OfValue.contains(F.getName()) && !Arguments.empty() &&
         isConstantOrSize(Arguments[IsOnlyArgument ? 0 : 1]);
}

TensorSet HostFlow::callTorch(const CallExpr *Site, const FunctionDecl *F, const Expr *Object,
                              llvm::ArrayRef<const Expr *> Arguments) {
  static const llvm::StringSet<> Allocating = {"empty", "empty_like", "empty_strided", "new_empty",
                                               "new_empty_strided"};
  static const llvm::StringSet<> Filling = {"zeros",    "zeros_like", "ones",      "ones_like",
                                            "full",     "full_like",  "new_zeros", "new_ones",
                                            "new_full", "arange",     "clone",     "scalar_tensor"};
  static const llvm::StringSet<> Sizes = {"size",     "sizes",  "numel",   "dim",
                                          "sym_size", "stride", "strides", "sym_sizes"};
  const llvm::StringRef Name = F->getDeclName().isIdentifier() ? F->getName() : "";
  SizeQueries += Sizes.contains(Name) || Name == "empty_like";
  TensorSet Held;
  if (Object)
    Held = withContents(evaluate(Object));
  TensorSet Passed;
  for (const Expr *Argument : Arguments) {
    TensorSet Values = withContents(evaluate(Argument));
    Passed.insert(Values.begin(), Values.end());
  }
  if (Allocating.contains(Name))
    return {allocate(Site, TensorObject::Source::Empty)};
  if (Filling.contains(Name)) {
    TensorObject *Made = allocate(Site, TensorObject::Source::Computed);
    if (Name == "clone")
      read(Held, Site->getExprLoc());
    write({Made}, Name == "clone", fillsWithConstant(*F, Arguments));
    return {Made};
  }
  TensorSet All = Held;
  All.insert(Passed.begin(), Passed.end());
  runCode(Passed, {});
  if (Name.ends_with("_") || Name.ends_with("_out")) {
    const bool IsFill = fillsWithConstant(*F, Arguments);
    WorksOutside |= !IsFill;
    read(Passed, Site->getExprLoc());
    write(Name.ends_with("_") && Object ? Held : All, holdsInput(All), IsFill);
    return All;
  }
  // An operator's result is a tensor of its own, whatever it was made from.
  if (computesTensor(*Site, *F, Context.symbols())) {
    WorksOutside = true;
    TensorObject *Made = allocate(Site, TensorObject::Source::Computed);
    for (TensorObject *Operand : All)
      Operand->MayBeRead = true;
    write({Made}, holdsInput(All));
    return {Made};
  }
  return carriesMemory(Site->getType(), Context.symbols()) ? All : TensorSet();
}

/// `std::call_once(flag, code, arguments...)`: nothing happens in a later call, unless the flag is
/// a local variable of the first.
TensorSet HostFlow::callOnce(const CallExpr *Site, llvm::ArrayRef<TensorSet> Arguments) {
  const VarDecl *Flag = rootOf(Site->getArg(0));
  const bool IsLocal = Flag && Flag->hasLocalStorage() && !Flag->getType()->isPointerType() &&
                       placeOf(Site->getArg(0)).Owners.empty();
  if (Call > 1 && !IsLocal)
    return {};
  // `std::call_once(flag, &Plan::prepare, &plan)`
  if (Arguments.size() > 2)
    for (TensorObject *Code : Arguments[1])
      if (const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Code->Body);
          Method && !Method->getParent()->isLambda())
        Code->This = rootOf(Site->getArg(2));
  if (!runCode(Arguments[1], Arguments.drop_front(2)))
    for (const TensorSet &Values : Arguments)
      runUnknown(Values);
  return {};
}

TensorSet HostFlow::callOutside(const CallExpr *Site, const FunctionDecl *F, const Expr *Object,
                                llvm::ArrayRef<const Expr *> Arguments) {
  const Symbols &Names = Context.symbols();
  const llvm::StringRef Name = F ? Names.qualifiedName(F) : "";
  const bool IsOnce =
      Name == "std::call_once" || Name == "c10::call_once" || Name == "pthread_once";
  if (F && Names.isTorchDecl(F) && !IsOnce)
    return callTorch(Site, F, Object, Arguments);
  TensorSet All = Object ? evaluate(Object) : TensorSet();
  std::vector<TensorSet> Values;
  for (const Expr *Argument : Arguments) {
    Values.push_back(evaluate(Argument));
    addFunctors(Argument, Values.back());
    All.insert(Values.back().begin(), Values.back().end());
  }
  if (IsOnce && Values.size() > 1)
    return callOnce(Site, Values);
  if (Name.starts_with("cudaMalloc") || Name == "cudaHostAlloc") {
    TensorObject *Made = allocate(Site, TensorObject::Source::Empty);
    Made->IsForHost = Name.contains("Host") || Name == "cudaMallocManaged";
    if (!Arguments.empty())
      assignThrough(Arguments[0], {Made});
    return {};
  }
  if (Name.starts_with("cudaMemset") && !Values.empty()) {
    write(Values[0], false, true);
    return {};
  }
  if ((Name == "cudaGetSymbolAddress" || Name == "cudaHostGetDevicePointer") && Values.size() > 1) {
    assignThrough(Arguments[0], Values[1]);
    return {};
  }
  if (Name.starts_with("cudaMemcpy") && Values.size() > 1 &&
      (Name.contains("Symbol") || (F->getParamDecl(0)->getType()->isPointerType() &&
                                   F->getParamDecl(1)->getType()->isPointerType()))) {
    read(Values[1], Site->getExprLoc());
    if (holdsAddresses(Arguments[1]->IgnoreParenImpCasts()->getType()))
      loseSight(Values[1], Site->getExprLoc());
    write(Values[0], holdsInput(Values[1]));
    const bool IsOfInput = !Values[1].empty() && llvm::all_of(Values[1], [](TensorObject *Object) {
      return Object->From == TensorObject::Source::Input;
    });
    if (IsOfInput && Values[0].size() == 1 && copiesWhole(Site))
      Now.Copies[*Values[0].begin()] = Site->getExprLoc();
    return {};
  }
  if (F && Names.isStandardDecl(F))
    return callStandard(Site, F, Object, All, Values);
  // CUDA's runtime, a vendor's library or an unknown function may do anything with what it gets.
  WorksOutside |= !Name.starts_with("cuda") && !All.empty();
  for (TensorObject *Touched : All)
    Touched->MayBeRead = true;
  write(All, holdsInput(All));
  TensorSet Made = F ? runCode(All, {}).value_or(TensorSet())
                     : runCode(evaluate(Site->getCallee()), Values).value_or(TensorSet());
  if (carriesMemory(Site->getType(), Names))
    Made.insert(All.begin(), All.end());
  return Made;
}

TensorSet HostFlow::evaluateCall(const CallExpr *Site) {
  const FunctionDecl *F = Site->getDirectCallee();
  const Expr *Object = nullptr;
  llvm::SmallVector<const Expr *, 8> Arguments(Site->arguments());
  if (const auto *Method = dyn_cast<CXXMemberCallExpr>(Site)) {
    Object = Method->getImplicitObjectArgument();
  } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Site)) {
    if (Operator->getOperator() == OO_Equal && Arguments.size() == 2) {
      const auto *Tie = dyn_cast<CallExpr>(Arguments[0]->IgnoreImplicit());
      const FunctionDecl *Maker = Tie ? Tie->getDirectCallee() : nullptr;
      if (Maker && Context.symbols().qualifiedName(Maker) == "std::tie") {
        TensorSet Values = evaluate(Arguments[1]);
        assignTied(Tie, Values);
        return Values;
      }
      // `y[i] = x`: what is assigned to a temporary tensor is copied to where it points.
      const auto *Method = dyn_cast_if_present<CXXMethodDecl>(F);
      if (Method && Method->getRefQualifier() == RQ_RValue) {
        TensorSet Value = evaluate(Arguments[1]), Target = evaluate(Arguments[0]);
        read(Value, Site->getExprLoc());
        write(Target, holdsInput(Value));
        return Target;
      }
      return evaluateAssignment(Arguments[0], Arguments[1]);
    }
    if (isa_and_nonnull<CXXMethodDecl>(F) && !Arguments.empty()) {
      Object = Arguments.front();
      Arguments.erase(Arguments.begin());
    }
  }
  if (F && Context.symbols().isDefinedHere(F))
    return callInside(F, Object, Arguments);
  return callOutside(Site, F, Object, Arguments);
}

} // namespace cupel
