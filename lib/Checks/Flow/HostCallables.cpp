//===- HostCallables.cpp - HostFlow over closures and what holds them -------===//
//
// A closure, a functor or a function of the submission is a value like a tensor: it goes through
// `std::function`, `std::bind`, tables and members, and runs where something is called that holds
// it. What is called without being known may run every closure there is.
//
//===----------------------------------------------------------------------===//

#include "HostFlow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

TensorObject *HostFlow::codeOf(const FunctionDecl *Body, const LambdaExpr *Closure) {
  // A function that makes closures makes one a call of it.
  TensorObject *&Code =
      Codes[{Body->getCanonicalDecl(), Closure, Closure ? Frames.back().Site : nullptr}];
  if (!Code) {
    Code = &Objects.emplace_back();
    Code->From = TensorObject::Source::Code;
    Code->Body = Body;
    Code->Where = Body->getLocation();
  }
  return Code;
}

TensorSet HostFlow::evaluateLambda(const LambdaExpr *Lambda) {
  TensorObject *Code = codeOf(Lambda->getCallOperator(), Lambda);
  Code->This = Frames.back().This;
  Code->ThisValue = Frames.back().ThisValue;
  Code->Copies.clear();
  TensorSet Values = {Code};
  const Expr *const *Initial = Lambda->capture_init_begin();
  for (const LambdaCapture &Capture : Lambda->captures()) {
    TensorSet Captured = evaluate(*Initial++);
    if (!Capture.capturesVariable())
      continue;
    const auto *V = dyn_cast<VarDecl>(Capture.getCapturedVar());
    if (!V || (Capture.getCaptureKind() == LCK_ByRef && !V->isInitCapture()))
      continue;
    Values.insert(Captured.begin(), Captured.end());
    Code->Copies[V] = std::move(Captured);
  }
  return Values;
}

std::map<const VarDecl *, TensorSet> HostFlow::showCopies(const TensorSet &Values,
                                                          const CXXRecordDecl &Class) {
  std::map<const VarDecl *, TensorSet> Shown, Hidden;
  for (const TensorObject *Code : Values)
    if (Code->From == TensorObject::Source::Code && isa<CXXMethodDecl>(Code->Body) &&
        cast<CXXMethodDecl>(Code->Body)->getParent() == &Class)
      for (const auto &[Variable, Held] : Code->Copies)
        Shown[Variable].insert(Held.begin(), Held.end());
  for (auto &[Variable, Held] : Shown)
    Hidden[Variable] = std::exchange(Now.Variables[Variable], std::move(Held));
  return Hidden;
}

void HostFlow::hideCopies(std::map<const VarDecl *, TensorSet> Hidden, const TensorSet &Closures,
                          const CXXMethodDecl &Method) {
  for (auto &[Variable, Held] : Hidden) {
    std::swap(Now.Variables[Variable], Held);
    for (TensorObject *Code : Closures)
      if (!Method.isConst() && Code->Copies.count(Variable))
        Code->Copies[Variable].insert(Held.begin(), Held.end());
  }
}

HostFlow::Frame HostFlow::enter(const FunctionDecl *Definition, Frame Inner) {
  Inner.Function = Definition;
  Inner.Site = Sites.empty() ? nullptr : Sites.back();
  Frames.push_back(std::move(Inner));
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Definition))
    for (const CXXCtorInitializer *Member : Constructor->inits()) {
      TensorSet Values = evaluate(Member->getInit());
      Frames.back().ThisValue.insert(Values.begin(), Values.end());
    }
  const bool Goes = execute(Definition->getBody()) == Flow::Goes;
  Frame Done = std::move(Frames.back());
  Frames.pop_back();
  if (Done.AtReturn)
    Now = Goes ? join(*Done.AtReturn, Now) : *Done.AtReturn;
  return Done;
}

/// The bodies that \p F stands for: of a generic lambda its instances, or the pattern where headers
/// whose bodies are left out would have made them.
static llvm::SmallVector<const FunctionDecl *, 2> bodiesOf(const FunctionDecl *F) {
  llvm::SmallVector<const FunctionDecl *, 2> Bodies;
  const FunctionDecl *Definition = nullptr;
  if (FunctionTemplateDecl *Template = F->getDescribedFunctionTemplate())
    for (const FunctionDecl *Instance : Template->specializations())
      if (Instance->hasBody(Definition))
        Bodies.push_back(Definition);
  if (Bodies.empty() && F->hasBody(Definition))
    Bodies.push_back(Definition);
  return Bodies;
}

std::optional<TensorSet> HostFlow::runCode(const TensorSet &Values,
                                           llvm::ArrayRef<TensorSet> Arguments) {
  std::optional<TensorSet> Made;
  TensorSet All = Values;
  for (const TensorSet &Some : Arguments)
    All.insert(Some.begin(), Some.end());
  for (TensorObject *Code : Values) {
    if (Code->From != TensorObject::Source::Code)
      continue;
    Made = Made.value_or(TensorSet());
    const auto *Method = dyn_cast<CXXMethodDecl>(Code->Body);
    const bool IsLambda = Method && Method->getParent()->isLambda();
    for (const FunctionDecl *Body : bodiesOf(Code->Body)) {
      if (llvm::any_of(Frames, [&](const Frame &Outer) { return Outer.Function == Body; })) {
        write(All, true);
        continue;
      }
      const bool Fits = Arguments.size() == Body->getNumParams() && (!Method || IsLambda);
      for (unsigned I = 0; I < Body->getNumParams(); ++I) {
        bindParameter(Body->getParamDecl(I), Fits ? Arguments[I] : All, nullptr);
      }
      Frame Inner;
      Inner.This = Code->This;
      Inner.ThisValue = IsLambda ? Code->ThisValue : All;
      auto Hidden = IsLambda ? showCopies({Code}, *Method->getParent())
                             : std::map<const VarDecl *, TensorSet>();
      TensorSet Result = enter(Body, std::move(Inner)).Result;
      Made->insert(Result.begin(), Result.end());
      if (IsLambda)
        hideCopies(std::move(Hidden), {Code}, *Method);
    }
  }
  return Made;
}

TensorSet HostFlow::runUnknown(const TensorSet &Values) {
  WorksOutside = true;
  for (TensorObject *Touched : Values)
    Touched->MayBeRead = true;
  write(Values, true);
  TensorSet Closures;
  for (const auto &[Key, Code] : Codes)
    if (std::get<1>(Key))
      Closures.insert(Code);
  runCode(Closures, {});
  return Values;
}

/// A class of the submission with call operators, in the hands of others.
void HostFlow::addFunctors(const Expr *Argument, TensorSet &Values) {
  const CXXRecordDecl *Class =
      Argument->getType().isNull() ? nullptr : Argument->getType()->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition() || Class->isLambda() ||
      !Context.symbols().isDefinedHere(Class))
    return;
  for (const NamedDecl *D :
       Class->lookup(Context.ast().DeclarationNames.getCXXOperatorName(OO_Call)))
    if (const FunctionDecl *F = D->getAsFunction(); F && !isDeviceOnly(F))
      Values.insert(codeOf(F));
}

TensorSet HostFlow::evaluateConstruction(const CXXConstructExpr *Construction) {
  const CXXConstructorDecl *Constructor = Construction->getConstructor();
  const CXXRecordDecl *Class = Constructor->getParent();
  const Symbols &Names = Context.symbols();
  std::vector<TensorSet> Arguments;
  TensorSet All;
  for (const Expr *Argument : Construction->arguments()) {
    Arguments.push_back(evaluate(Argument));
    addFunctors(Argument, Arguments.back());
    All.insert(Arguments.back().begin(), Arguments.back().end());
  }
  if (Constructor->isCopyOrMoveConstructor() || Class->isLambda())
    return copyOf(std::move(All), *Class);
  const FunctionDecl *Definition = nullptr;
  if (Names.isDefinedHere(Class)) {
    const bool IsRecursive =
        llvm::any_of(Frames, [&](const Frame &Outer) { return Outer.Function == Constructor; });
    if (!Constructor->isUserProvided() || !Constructor->hasBody(Definition) || IsRecursive)
      return All;
    for (unsigned I = 0; I < Definition->getNumParams(); ++I) {
      const ParmVarDecl *P = Definition->getParamDecl(I);
      bindParameter(P, I < Arguments.size() ? Arguments[I] : TensorSet(),
                    I < Arguments.size() ? Construction->getArg(I) : nullptr);
    }
    Frame Inner;
    Inner.ThisValue = All;
    All = enter(Definition, std::move(Inner)).ThisValue;
    // What the destructor does comes before anybody can look at the result.
    const CXXDestructorDecl *Destructor = Class->getDestructor();
    if (Destructor && Destructor->isUserProvided() && Destructor->hasBody(Definition)) {
      Frame Last;
      Last.ThisValue = All;
      enter(Definition, std::move(Last));
    }
    return All;
  }
  const llvm::StringRef Name = Names.qualifiedName(Class);
  const bool Runs = Name == "std::thread" || Name == "std::jthread" || Name == "std::unique_ptr" ||
                    Name == "std::shared_ptr" || !Names.isStandardDecl(Class);
  if (Runs)
    runCode(All, {});
  if ((Name == "std::tuple" || Name == "std::pair") && Arguments.size() > 1)
    return group(Construction, Construction->getType(), Arguments);
  return All;
}

/// The index of `std::get<1>`; none of `std::get<Type>`.
static std::optional<unsigned> constantArgument(const FunctionDecl &F) {
  const TemplateArgumentList *Arguments = F.getTemplateSpecializationArgs();
  if (!Arguments || !Arguments->size() || Arguments->get(0).getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return Arguments->get(0).getAsIntegral().getLimitedValue(UINT_MAX);
}

TensorSet HostFlow::callStandard(const CallExpr *Site, const FunctionDecl *F, const Expr *Object,
                                 const TensorSet &All, llvm::ArrayRef<TensorSet> Arguments) {
  static const llvm::StringSet<> Holding = {"move",          "forward",
                                            "ref",           "cref",
                                            "bind",          "bind_front",
                                            "mem_fn",        "make_pair",
                                            "make_tuple",    "tie",
                                            "get",           "get_if",
                                            "make_optional", "forward_as_tuple",
                                            "make_unique",   "tuple_cat",
                                            "make_shared",   "addressof",
                                            "as_const",      "begin",
                                            "end",           "cbegin",
                                            "cend"};
  static const llvm::StringSet<> Calling = {"invoke",    "invoke_r",   "apply",
                                            "visit",     "async",      "for_each",
                                            "transform", "for_each_n", "generate_n"};
  const llvm::StringRef Name = F->getDeclName().isIdentifier() ? F->getName() : "";
  const bool IsCall = F->getOverloadedOperator() == OO_Call;
  if (IsCall) {
    std::optional<TensorSet> Made = runCode(withContents(evaluate(Object)), Arguments);
    return Made ? *Made : runUnknown(All);
  }
  if (std::optional<TensorSet> Old = callExchange(Site, F, Object, Arguments))
    return *Old;
  if (!Object && !Holding.contains(Name)) {
    if (Name == "apply" && Arguments.size() == 2)
      for (const TensorObject *Tuple : Arguments[1])
        if (Tuple->From == TensorObject::Source::Group)
          if (std::optional<TensorSet> Made = runCode(Arguments[0], Tuple->Parts))
            return *Made;
    std::optional<TensorSet> Made =
        !Arguments.empty() ? runCode(All, Name == "invoke" ? Arguments.drop_front() : Arguments)
                           : std::nullopt;
    if (!Made && Calling.contains(Name))
      return runUnknown(All);
    if (Made && Calling.contains(Name))
      return *Made;
  }
  static const llvm::StringSet<> Grouping = {"make_pair", "make_tuple", "tie", "forward_as_tuple"};
  if (!Object && Grouping.contains(Name))
    return group(Site, Site->getType(), Arguments);
  if (!Object && Name == "get" && Arguments.size() == 1)
    return partOf(Arguments[0], constantArgument(*F), 0, Site, Site->getType());
  if (Name == "make_unique" || Name == "make_shared")
    if (const TemplateArgumentList *Types = F->getTemplateSpecializationArgs();
        Types && Types->size() && Types->get(0).getKind() == TemplateArgument::Type)
      return makeHeapObject(Site, Types->get(0).getAsType(), All);
  const bool IsSubscript = F->getOverloadedOperator() == OO_Subscript || Name == "at";
  if (Object && ((IsSubscript && Arguments.size() == 1) || Name == "front" || Name == "back")) {
    std::optional<unsigned> Index;
    Expr::EvalResult Result;
    const Expr *Where = IsSubscript ? Site->getArg(Site->getNumArgs() - 1) : nullptr;
    if (Name == "front")
      Index = 0;
    else if (IsSubscript && !Where->isValueDependent() && Where->getType()->isIntegerType() &&
             Where->EvaluateAsInt(Result, Context.ast()))
      Index = Result.Val.getInt().getLimitedValue(UINT_MAX);
    if (Arguments.empty() || Arguments[0].empty())
      return partOf(evaluate(Object), Index, 0, Site, Site->getType());
  }
  // A container or smart pointer holds what is put into it.
  TensorSet Put;
  for (const TensorSet &Some : Arguments)
    Put.insert(Some.begin(), Some.end());
  if (Object && !Put.empty()) {
    Place Inside = placeBehind(Object);
    Inside.IsExact = false;
    if (!Inside.Owners.empty()) {
      store(Inside, Put, Site->getExprLoc());
    } else if (const VarDecl *Root = rootOf(Object)) {
      Now.Variables[Root].insert(Put.begin(), Put.end());
      if (Root->hasGlobalStorage())
        keep(withContents(Put), Site->getExprLoc());
    }
  }
  return Site->getType()->isArithmeticType() ? TensorSet() : All;
}

} // namespace cupel
