//===- Bindings.cpp - host functions that a caller can reach ----------------===//

#include "Bindings.h"
#include "BoundDefaults.h"
#include "EntryTypes.h"
#include "RepeatableLambda.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace cupel;

/// The function, or call operator of the lambda, that \p E stands for: through `&`, casts,
/// `overload_cast<...>(&f)`, wrappers that are given one function, and variables that hold one.
static const clang::FunctionDecl *boundFunction(const clang::Expr *E, unsigned Depth = 0) {
  if (!E || Depth > 16)
    return nullptr;
  E = E->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
  if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(E))
    return boundFunction(Unary->getSubExpr(), Depth + 1);
  if (const auto *Lambda = llvm::dyn_cast<clang::LambdaExpr>(E))
    return Lambda->getCallOperator();
  if (const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(E)) {
    if (const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(Reference->getDecl()))
      return Function;
    if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(Reference->getDecl()))
      return boundFunction(Variable->getAnyInitializer(), Depth + 1);
    return nullptr;
  }
  if (const auto *Overloads = llvm::dyn_cast<clang::OverloadExpr>(E)) {
    if (Overloads->getNumDecls() == 1)
      return (*Overloads->decls_begin())->getUnderlyingDecl()->getAsFunction();
    return nullptr;
  }
  // TORCH_FN(f) is a value of a type that has the function as an argument.
  if (const clang::CXXRecordDecl *Record = E->getType()->getAsCXXRecordDecl())
    if (const auto *Instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(Record))
      for (const clang::TemplateArgument &Argument : Instance->getTemplateArgs().asArray())
        if (Argument.getKind() == clang::TemplateArgument::Declaration)
          if (const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(Argument.getAsDecl()))
            return Function;
  // overload_cast<...>(&f), torch::dispatch(key, f), std::function(f): the last argument.
  llvm::ArrayRef<const clang::Expr *> Arguments;
  if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(E))
    Arguments = llvm::ArrayRef(Call->getArgs(), Call->getNumArgs());
  else if (const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(E))
    Arguments = llvm::ArrayRef(Construct->getArgs(), Construct->getNumArgs());
  for (const clang::Expr *Argument : llvm::reverse(Arguments))
    if (const clang::FunctionDecl *Function = boundFunction(Argument, Depth + 1))
      return Function;
  return nullptr;
}

/// The first string literal in \p E.
static std::optional<std::string> literalIn(const clang::Stmt *E) {
  if (!E)
    return std::nullopt;
  if (const auto *Literal = llvm::dyn_cast<clang::StringLiteral>(E))
    return Literal->isOrdinary() || Literal->isUTF8() ? std::optional(Literal->getString().str())
                                                      : std::nullopt;
  for (const clang::Stmt *Child : E->children())
    if (std::optional<std::string> Found = literalIn(Child))
      return Found;
  return std::nullopt;
}

static std::string spelledName(const clang::NamedDecl *D) {
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  D->printQualifiedName(OS);
  return Name;
}

static bool isLambda(const clang::FunctionDecl *Function) {
  const auto *Method = llvm::dyn_cast<clang::CXXMethodDecl>(Function);
  return Method && Method->getParent()->isLambda();
}

static EntrySignature describe(const clang::FunctionDecl *Function, const ParsedPass &Pass) {
  const clang::ASTContext &Context = Pass.context();
  EntrySignature Entry;
  Entry.Place = Pass.placeOf(Function->getLocation());
  Entry.IsInternal = !Function->isExternallyVisible() || isLambda(Function);
  Entry.FunctionType = spellType(Function->getType(), Context);
  Entry.ResultType = spellType(Function->getReturnType(), Context);
  Entry.ResultKind = classifyType(Function->getReturnType());
  if (isLambda(Function)) {
    Entry.FunctionType =
        spellType(Context.getFunctionType(
                      Function->getReturnType(),
                      Function->getType()->castAs<clang::FunctionProtoType>()->param_types(),
                      clang::FunctionProtoType::ExtProtoInfo()),
                  Context);
  } else {
    Entry.QualifiedName = spelledName(Function);
    if (const clang::TemplateArgumentList *Arguments = Function->getTemplateSpecializationArgs()) {
      llvm::raw_string_ostream OS(Entry.QualifiedName);
      clang::PrintingPolicy Policy(Context.getLangOpts());
      Policy.PrintAsCanonical = true;
      clang::printTemplateArgumentList(OS, Arguments->asArray(), Policy);
    }
  }
  for (const clang::ParmVarDecl *Parameter : Function->parameters())
    Entry.Arguments.push_back({Parameter->getNameAsString(),
                               spellType(Parameter->getType(), Context),
                               classifyType(Parameter->getType()),
                               Parameter->hasDefaultArg() && !isLambda(Function), std::nullopt});
  return Entry;
}

namespace {

/// Finds `m.def("name", f, ...)` and its kin on pybind11's and torch's library objects.
class BindingVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  explicit BindingVisitor(ParsedSubmission &Submission)
      : Submission(Submission), Pass(*Submission.Host) {}

  bool TraverseFunctionDecl(clang::FunctionDecl *Function) override {
    const clang::FunctionDecl *Outer = Enclosing;
    Enclosing = Function;
    bool Continue = clang::DynamicRecursiveASTVisitor::TraverseFunctionDecl(Function);
    Enclosing = Outer;
    return Continue;
  }

  /// After its operands: in a chain `m.def("a", f).def("b", g)` the call of "b" holds the one of
  /// "a".
  bool dataTraverseStmtPost(clang::Stmt *S) override {
    if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(S))
      readCall(Call);
    else if (const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(S))
      readConstruction(Construct);
    return true;
  }

private:
  void readCall(const clang::CallExpr *Call) {
    const clang::Expr *Object = nullptr;
    std::string Member = memberName(Call->getCallee(), Object);
    if (!Object || (Member != "def" && Member != "impl" && Member != "op"))
      return;
    std::string Class = className(Object->getType());
    if (Class == "pybind11::module_" && Member == "def")
      bind(EntryBinding::Pybind, llvm::ArrayRef(Call->getArgs(), Call->getNumArgs()));
    else if (Class == "torch::Library" || Class == "c10::RegisterOperators")
      bind(EntryBinding::TorchLibrary, llvm::ArrayRef(Call->getArgs(), Call->getNumArgs()));
  }

  void readConstruction(const clang::CXXConstructExpr *Construct) {
    if (className(Construct->getType()) == "c10::RegisterOperators")
      bind(EntryBinding::TorchLibrary,
           llvm::ArrayRef(Construct->getArgs(), Construct->getNumArgs()));
  }

  static std::string className(clang::QualType Type) {
    if (Type->isPointerType())
      Type = Type->getPointeeType();
    const clang::CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
    return Record ? spelledName(Record) : std::string();
  }

  /// Name and object of a member call, resolved or (after an error or in a template) not.
  static std::string memberName(const clang::Expr *Callee, const clang::Expr *&Object) {
    Callee = Callee->IgnoreParens();
    if (const auto *Member = llvm::dyn_cast<clang::MemberExpr>(Callee)) {
      Object = Member->getBase();
      return Member->getMemberDecl()->getNameAsString();
    }
    if (const auto *Member = llvm::dyn_cast<clang::UnresolvedMemberExpr>(Callee)) {
      if (!Member->isImplicitAccess())
        Object = Member->getBase();
      return Member->getMemberName().getAsString();
    }
    return "";
  }

  /// Whether this is an implementation for something that no CUDA tensor reaches, such as
  /// TORCH_LIBRARY_IMPL(ns, CPU, m): the macro names its function after the dispatch key.
  bool isForOtherDevice() const {
    if (!Enclosing || !Enclosing->getIdentifier())
      return false;
    llvm::StringRef Name = Enclosing->getName();
    if (!Name.consume_front("TORCH_LIBRARY_IMPL_init_"))
      return false;
    return !Name.contains("_CUDA_") && !Name.contains("_Composite") && !Name.contains("_CatchAll");
  }

  void bind(EntryBinding Binding, llvm::ArrayRef<const clang::Expr *> Arguments) {
    if (Arguments.size() < 2 || isForOtherDevice())
      return;
    std::optional<std::string> Name = literalIn(Arguments[0]);
    const clang::FunctionDecl *Function = boundFunction(Arguments[1]);
    for (size_t I = 2; !Function && Binding == EntryBinding::TorchLibrary && I < Arguments.size();
         ++I)
      Function = boundFunction(Arguments[I]);
    if (!Name || !Function)
      return;
    if (const clang::FunctionDecl *Pattern = Function->getDefinition())
      Function = Pattern;

    EntrySignature Entry = describe(Function, Pass);
    Entry.Binding = Binding;
    Entry.BoundName = *Name;
    if (isLambda(Function))
      Entry.LambdaSource =
          repeatableText(llvm::cast<clang::CXXMethodDecl>(Function), Enclosing, Pass);
    if (Binding == EntryBinding::TorchLibrary) { // A schema: `ns::name(Tensor x) -> Tensor`.
      llvm::StringRef Schema = llvm::StringRef(*Name).split('(').first.trim();
      size_t Colon = Schema.rfind("::");
      Entry.BoundName = (Colon == llvm::StringRef::npos ? Schema : Schema.substr(Colon + 2)).str();
    } else {
      readKeywords(Entry, Arguments.drop_front(2));
    }
    add(std::move(Entry), Function);
  }

  /// `py::arg("x")` names the arguments, `py::arg("x") = 1` (an arg_v) gives a default.
  void readKeywords(EntrySignature &Entry, llvm::ArrayRef<const clang::Expr *> Extras) const {
    std::vector<std::pair<std::string, const clang::Expr *>> Keywords;
    for (const clang::Expr *Extra : Extras) {
      std::string Class = className(Extra->getType());
      if (Class != "pybind11::arg" && Class != "pybind11::arg_v")
        continue;
      if (std::optional<std::string> Name = literalIn(Extra))
        Keywords.push_back({*Name, Class == "pybind11::arg_v" ? Extra : nullptr});
    }
    if (Keywords.size() != Entry.Arguments.size())
      return;
    for (auto [Argument, Keyword] : llvm::zip(Entry.Arguments, Keywords)) {
      Argument.Name = Keyword.first;
      if (Keyword.second)
        Argument.BoundDefault = boundDefault(Keyword.second, Argument.Kind, Pass.context());
    }
  }

  void add(EntrySignature Entry, const clang::FunctionDecl *Function) {
    for (const EntrySignature &Known : Submission.Entries)
      if (Known.BoundName == Entry.BoundName && Known.FunctionType == Entry.FunctionType &&
          Known.QualifiedName == Entry.QualifiedName)
        return;
    Submission.Entries.push_back(std::move(Entry));
    Submission.EntryFunctions.push_back(Function);
  }

  ParsedSubmission &Submission;
  const ParsedPass &Pass;
  const clang::FunctionDecl *Enclosing = nullptr;
};

/// Host functions with a body in the submission, member functions and templates aside.
class HostFunctionVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  explicit HostFunctionVisitor(const ParsedPass &Pass) : Pass(Pass) {}
  std::vector<const clang::FunctionDecl *> Functions;

  bool VisitFunctionDecl(clang::FunctionDecl *Function) override {
    bool IsDeviceOnly =
        Function->hasAttr<clang::CUDAGlobalAttr>() ||
        (Function->hasAttr<clang::CUDADeviceAttr>() && !Function->hasAttr<clang::CUDAHostAttr>());
    if (Function->isThisDeclarationADefinition() && !IsDeviceOnly &&
        !llvm::isa<clang::CXXMethodDecl>(Function) && !Function->isDependentContext() &&
        Pass.isInSubmission(Function->getLocation()))
      Functions.push_back(Function);
    return true;
  }

private:
  const ParsedPass &Pass;
};

} // namespace

static bool isTensorKind(ValueKind Kind) {
  return Kind == ValueKind::Tensor || Kind == ValueKind::TensorList ||
         Kind == ValueKind::OptionalTensor || Kind == ValueKind::TensorTuple;
}

static bool takesAndReturnsTensors(const EntrySignature &Entry) {
  return isTensorKind(Entry.ResultKind) &&
         llvm::any_of(Entry.Arguments, [](const EntryArgument &A) { return isTensorKind(A.Kind); });
}

/// Adds the functions of \p Candidates that are called \p Name.
static void addNamed(ParsedSubmission &Submission,
                     llvm::ArrayRef<const clang::FunctionDecl *> Candidates, llvm::StringRef Name,
                     EntryBinding Binding) {
  for (const clang::FunctionDecl *Function : Candidates) {
    if (Function->getNameAsString() != Name)
      continue;
    EntrySignature Entry = describe(Function, *Submission.Host);
    Entry.BoundName = Name.str();
    Entry.Binding = Binding;
    Submission.Entries.push_back(std::move(Entry));
    Submission.EntryFunctions.push_back(Function);
  }
}

void cupel::listEntries(ParsedSubmission &Submission, llvm::StringRef EntryName) {
  BindingVisitor Bindings(Submission);
  for (clang::Decl *D : Submission.Host->topLevelDecls())
    Bindings.TraverseDecl(D);
  bool HasNamed = EntryName.empty() ||
                  llvm::any_of(Submission.Entries,
                               [&](const EntrySignature &E) { return E.BoundName == EntryName; });
  if (!Submission.Entries.empty() && HasNamed)
    return;

  HostFunctionVisitor Hosts(*Submission.Host);
  for (clang::Decl *D : Submission.Host->topLevelDecls())
    Hosts.TraverseDecl(D);
  if (!EntryName.empty())
    addNamed(Submission, Hosts.Functions, EntryName, EntryBinding::NamedByProblem);
  if (Submission.Entries.empty())
    addNamed(Submission, Hosts.Functions, "forward", EntryBinding::NamedForward);
  if (!Submission.Entries.empty())
    return;

  std::vector<const clang::FunctionDecl *> Fitting;
  for (const clang::FunctionDecl *Function : Hosts.Functions)
    if (takesAndReturnsTensors(describe(Function, *Submission.Host)))
      Fitting.push_back(Function);
  if (Fitting.size() == 1)
    addNamed(Submission, Fitting, Fitting.front()->getNameAsString(), EntryBinding::OnlyCandidate);
}
