//===- Launches.cpp - launches and addresses of kernels ---------------------===//
//
// `k<T><<<g, b>>>(x)` becomes `launcher(Site{...}, k<T>)(g, b)(x)`: only the tokens in front of the
// callee, `<<<` and `>>>` change, so arguments stay where they are, whatever macros they come from.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace cupel;

static bool isKernel(const clang::FunctionDecl *Function) {
  return Function && Function->hasAttr<clang::CUDAGlobalAttr>();
}

static const clang::FunctionDecl *functionOf(const clang::NamedDecl *D) {
  D = D->getUnderlyingDecl();
  if (const auto *Template = llvm::dyn_cast<clang::FunctionTemplateDecl>(D))
    D = Template->getTemplatedDecl();
  return llvm::dyn_cast<clang::FunctionDecl>(D);
}

namespace {

/// A kernel as an expression names it.
struct NamedKernel {
  const clang::FunctionDecl *Function = nullptr; ///< Null: a run-time value.
  /// The name alone means several functions; only a call chooses one.
  bool NeedsCall = false;
};

unsigned parameterCount(const clang::TemplateDecl *Template) {
  unsigned Count = 0;
  for (const clang::NamedDecl *P : *Template->getTemplateParameters())
    Count += P->isParameterPack() ? 1000 : 1; // A pack may go on with deduced arguments.
  return Count;
}

NamedKernel kernelNamedBy(const clang::Expr *E) {
  E = E->IgnoreParenImpCasts();
  NamedKernel Result;
  if (const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(E)) {
    Result.Function = llvm::dyn_cast<clang::FunctionDecl>(Reference->getDecl());
    if (!Result.Function)
      return Result;
    const clang::FunctionTemplateDecl *Template = Result.Function->getPrimaryTemplate();
    Result.NeedsCall = Reference->hadMultipleCandidates() ||
                       (Template && Reference->getNumTemplateArgs() < parameterCount(Template));
  } else if (const auto *Overloads = llvm::dyn_cast<clang::OverloadExpr>(E)) {
    // A dependent call may name what is found by its arguments alone.
    if (Overloads->getNumDecls() == 0)
      return Result;
    Result.Function = functionOf(*Overloads->decls_begin());
    const auto *Template = llvm::dyn_cast<clang::FunctionTemplateDecl>(
        (*Overloads->decls_begin())->getUnderlyingDecl());
    Result.NeedsCall = Overloads->getNumDecls() != 1 ||
                       (Template && Overloads->getNumTemplateArgs() < parameterCount(Template));
  }
  return Result;
}

/// The most threads that a block of \p Kernel may have by its __launch_bounds__; 0: not known.
/// Where a template's argument decides, the most that any instance allows.
unsigned launchBound(const clang::FunctionDecl *Kernel, const clang::ASTContext &Ast) {
  const auto *Bounds = Kernel ? Kernel->getAttr<clang::CUDALaunchBoundsAttr>() : nullptr;
  if (!Bounds)
    return 0;
  const clang::Expr *Most = Bounds->getMaxThreads();
  if (!Most->isValueDependent()) {
    std::optional<llvm::APSInt> Value = Most->getIntegerConstantExpr(Ast);
    return Value && Value->isStrictlyPositive() && Value->isIntN(31)
               ? static_cast<unsigned>(Value->getZExtValue())
               : 0;
  }
  unsigned Largest = 0;
  if (const clang::FunctionTemplateDecl *Template = Kernel->getDescribedFunctionTemplate())
    for (const clang::FunctionDecl *Instance : Template->specializations()) {
      const unsigned Bound = launchBound(Instance, Ast);
      if (!Bound)
        return 0;
      Largest = std::max(Largest, Bound);
    }
  return Largest;
}

/// As the device code has it; on the host Clang gives the name to the stub that launches.
std::string mangledName(const clang::FunctionDecl *Kernel, clang::ASTContext &Ast) {
  std::unique_ptr<clang::MangleContext> Mangle(Ast.createMangleContext());
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  Mangle->mangleName(clang::GlobalDecl(Kernel, clang::KernelReferenceKind::Kernel), OS);
  return Name;
}

class LaunchRewriter : public clang::DynamicRecursiveASTVisitor {
public:
  explicit LaunchRewriter(const RewriteContext &Context)
      : Context(Context), Analysis(Context.Pass),
        DeviceAnalysis(Context.Submission.Device ? *Context.Submission.Device : Context.Pass) {
    if (Context.Submission.Device)
      listDeviceKernels();
  }

  void run() {
    for (clang::Decl *D : Context.Pass.topLevelDecls())
      TraverseDecl(D);
    for (const auto &[Offset, L] : Launches)
      write(Offset, L);
  }

  bool TraverseFunctionDecl(clang::FunctionDecl *F) override {
    return inside(F, [&] { return clang::DynamicRecursiveASTVisitor::TraverseFunctionDecl(F); });
  }
  bool TraverseCXXMethodDecl(clang::CXXMethodDecl *F) override {
    return inside(F, [&] { return clang::DynamicRecursiveASTVisitor::TraverseCXXMethodDecl(F); });
  }
  /// An address in a template's argument has to stay a constant.
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc &) override { return true; }
  bool TraverseVarDecl(clang::VarDecl *V) override {
    return V->isConstexpr() || clang::DynamicRecursiveASTVisitor::TraverseVarDecl(V);
  }

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *Call) override {
    Callees.insert(Call->getCallee()->IgnoreParenImpCasts());
    if (!Context.isOwn(Call->getBeginLoc()))
      return true;
    if (Function && (Function->hasAttr<clang::CUDADeviceAttr>() || isKernel(Function))) {
      Context.refuse(Call->getBeginLoc(), "a launch from device code (dynamic parallelism)");
      return true;
    }
    const clang::CallExpr *Config = Call->getConfig();
    std::optional<TokenPlace> Open = placeOfToken(Context.Pass, Config->getCallee()->getBeginLoc());
    std::optional<TokenPlace> Close = placeOfToken(Context.Pass, Config->getRParenLoc());
    if (!Open || !Close || Context.text(Open->Offset, 3) != "<<<" ||
        Context.text(Close->Offset, 3) != ">>>") {
      Context.refuse(Call->getBeginLoc(), "a launch that a macro puts together");
      return true;
    }
    clang::SourceLocation Begin = Call->getCallee()->getBeginLoc();
    std::optional<TokenPlace> Callee = placeInContext(Context.Pass, Begin, Open->Context);
    if (!Callee)
      Callee = placeOfToken(Context.Pass, Begin);
    if (!Callee) {
      Context.refuse(Begin, "a launch that a macro puts together");
      return true;
    }
    add(Open->Offset, Callee->Offset, Close->Offset, Call);
    return true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator *Address) override {
    if (Address->getOpcode() == clang::UO_AddrOf && isAddress(Address->getSubExpr()))
      keepAddress(Address->getBeginLoc(), Address->getSubExpr());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *Reference) override {
    if (isAddress(Reference))
      keepAddress(Reference->getBeginLoc(), Reference);
    return true;
  }
  bool VisitUnresolvedLookupExpr(clang::UnresolvedLookupExpr *Lookup) override {
    if (isAddress(Lookup))
      keepAddress(Lookup->getBeginLoc(), Lookup);
    return true;
  }

private:
  struct Launch {
    unsigned Callee = 0, Close = 0, Line = 0;
    std::string Name;    ///< Empty: not one kernel.
    std::string Mangled; ///< Where it needs a call of one known function.
    unsigned MaxThreads = 0;
    bool NeedsCall = false, SeveralLines = false;
    Waits Wait = Waits::Never;
  };

  bool inside(clang::FunctionDecl *F, llvm::function_ref<bool()> Traverse) {
    const clang::FunctionDecl *Outer = Function;
    Function = F;
    bool Continue = Traverse();
    Function = Outer;
    return Continue;
  }

  /// Kernels of the device pass by the place of their name: it has the code that the GPU runs.
  void listDeviceKernels();

  Waits waitsOf(const clang::FunctionDecl *Kernel) {
    if (!Kernel)
      return Waits::Anything;
    if (const clang::FunctionDecl *Pattern = Kernel->getTemplateInstantiationPattern())
      Kernel = Pattern;
    const clang::FunctionDecl *Defined = nullptr;
    Kernel->hasBody(Defined);
    if (!Defined)
      return Waits::Anything;
    Waits Result = Analysis.of(Defined);
    std::optional<TokenPlace> Place = placeOfToken(Context.Pass, Defined->getLocation());
    if (auto It = Place ? DeviceKernels.find(Place->Offset) : DeviceKernels.end();
        It != DeviceKernels.end() && (!Defined->getDescribedFunctionTemplate() || BodiesMayDiffer))
      Result = std::max(Result, DeviceAnalysis.of(It->second));
    return Result;
  }

  void add(unsigned Open, unsigned Callee, unsigned Close, const clang::CUDAKernelCallExpr *Call) {
    NamedKernel Kernel = kernelNamedBy(Call->getCallee());
    Launch L;
    L.Callee = Callee;
    L.Close = Close;
    L.Line = Context.Pass.placeOf(Call->getBeginLoc()).Line;
    L.Name = Kernel.Function ? Kernel.Function->getNameAsString() : "";
    L.NeedsCall = Kernel.NeedsCall || llvm::any_of(Call->arguments(), [](const clang::Expr *A) {
                    return llvm::isa<clang::CXXDefaultArgExpr>(A);
                  });
    L.Wait = waitsOf(isKernel(Kernel.Function) ? Kernel.Function : nullptr);
    L.MaxThreads = launchBound(Kernel.Function, Context.Pass.context());
    if (L.NeedsCall && isKernel(Kernel.Function) && !Kernel.Function->isDependentContext())
      L.Mangled = mangledName(Kernel.Function, Context.Pass.context());
    auto [It, IsNew] = Launches.insert({Open, L});
    if (IsNew)
      return;
    // One text of a macro, or of a template, for several launches.
    Launch &Known = It->second;
    Known.SeveralLines |= Known.Line != L.Line;
    if (Known.Name != L.Name)
      Known.Name.clear();
    if (Known.Mangled != L.Mangled)
      Known.Mangled.clear();
    // What one of them has no bound for is not refused.
    Known.MaxThreads =
        Known.MaxThreads && L.MaxThreads ? std::max(Known.MaxThreads, L.MaxThreads) : 0;
    Known.NeedsCall |= L.NeedsCall;
    Known.Wait = std::max(Known.Wait, L.Wait);
  }

  static std::string site(llvm::StringRef Name, llvm::StringRef Line, Waits Wait,
                          unsigned MaxThreads, llvm::StringRef Mangled) {
    auto Quoted = [](llvm::StringRef Text) {
      return Text.empty() ? "nullptr" : "\"" + Text.str() + "\"";
    };
    std::string Site = "::cupel::emu::Site{" + Quoted(Name) + ", " + Line.str() +
                       ", ::cupel::emu::Waits::" + toString(Wait).str();
    if (MaxThreads || !Mangled.empty())
      Site += ", " + std::to_string(MaxThreads);
    if (!Mangled.empty())
      Site += ", " + Quoted(Mangled);
    return Site + "}";
  }

  void write(unsigned Open, const Launch &L) {
    std::string Line = L.SeveralLines ? "__LINE__" : std::to_string(L.Line);
    std::string Start =
        "::cupel::emu::launcher(" + site(L.Name, Line, L.Wait, L.MaxThreads, L.Mangled) + ", ";
    Context.Edits.insert(L.Callee, Start + (L.NeedsCall ? "[&](auto &&...cupelArgument) { " : ""));
    Context.Edits.replace(Open, 3, L.NeedsCall ? "(cupelArgument...); })(" : ")(");
    Context.Edits.replace(L.Close, 3, ")");
  }

  bool isAddress(const clang::Expr *E) const {
    E = E->IgnoreParens();
    if (Callees.contains(E))
      return false;
    NamedKernel Kernel = kernelNamedBy(E);
    return isKernel(Kernel.Function) && !Kernel.NeedsCall;
  }

  void keepAddress(clang::SourceLocation Begin, const clang::Expr *E) {
    if (!Context.isOwn(Begin) || !Kept.insert(E->IgnoreParens()).second)
      return;
    std::optional<TokenPlace> Last = placeOfToken(Context.Pass, E->getEndLoc());
    std::optional<TokenPlace> First =
        Last ? placeInContext(Context.Pass, Begin, Last->Context) : std::nullopt;
    if (!First)
      return Context.refuse(Begin, "the address of a kernel that a macro puts together");
    NamedKernel Kernel = kernelNamedBy(E);
    unsigned Line = Context.Pass.placeOf(Kernel.Function->getLocation()).Line;
    Context.Edits.insert(First->Offset,
                         "::cupel::emu::registered(" +
                             site(Kernel.Function->getNameAsString(), std::to_string(Line),
                                  waitsOf(Kernel.Function),
                                  launchBound(Kernel.Function, Context.Pass.context()), "") +
                             ", ");
    Context.Edits.insert(Last->Offset + tokenLength(Context.Pass, Last->Offset), ")");
  }

  const RewriteContext &Context;
  WaitAnalysis Analysis, DeviceAnalysis;
  std::map<unsigned, Launch> Launches; ///< By the place of `<<<`.
  std::map<unsigned, const clang::FunctionDecl *> DeviceKernels;
  llvm::SmallPtrSet<const clang::Expr *, 16> Callees, Kept;
  /// Between the passes. The device pass has few instances of templates, so all that is not known
  /// in one would be taken for waiting; it is asked only where the host's may be another text.
  const bool BodiesMayDiffer = llvm::StringRef(Context.Submission.Source).contains("__CUDA_ARCH__");
  const clang::FunctionDecl *Function = nullptr;
};

class KernelLister : public clang::DynamicRecursiveASTVisitor {
public:
  KernelLister(const ParsedPass &Pass, std::map<unsigned, const clang::FunctionDecl *> &Kernels)
      : Pass(Pass), Kernels(Kernels) {}
  bool VisitFunctionDecl(clang::FunctionDecl *Function) override {
    if (isKernel(Function) && Function->isThisDeclarationADefinition())
      if (std::optional<TokenPlace> Place = placeOfToken(Pass, Function->getLocation()))
        Kernels[Place->Offset] = Function;
    return true;
  }

private:
  const ParsedPass &Pass;
  std::map<unsigned, const clang::FunctionDecl *> &Kernels;
};

void LaunchRewriter::listDeviceKernels() {
  KernelLister Lister(*Context.Submission.Device, DeviceKernels);
  for (clang::Decl *D : Context.Submission.Device->topLevelDecls())
    Lister.TraverseDecl(D);
}

} // namespace

void cupel::rewriteLaunches(const RewriteContext &Context) { LaunchRewriter(Context).run(); }
