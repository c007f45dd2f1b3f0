//===- Launches.cpp - kernels of a submission and where they are started ----===//

#include "Launches.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

using namespace cupel;

/// Which argument of a launching function of the runtime or driver API is the kernel.
static std::optional<unsigned> kernelArgument(llvm::StringRef Function) {
  return llvm::StringSwitch<std::optional<unsigned>>(Function)
      .Cases({"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cuLaunchKernel",
              "cuLaunchCooperativeKernel"},
             0u)
      .Cases({"cudaLaunchKernelEx", "cudaLaunchKernelExC", "cuLaunchKernelEx"}, 1u)
      .Default(std::nullopt);
}

/// The function as written: the pattern of an instance, else itself.
static const clang::FunctionDecl *patternOf(const clang::FunctionDecl *Function) {
  if (const clang::FunctionDecl *Pattern = Function->getTemplateInstantiationPattern())
    Function = Pattern;
  if (const clang::FunctionDecl *Definition = Function->getDefinition())
    return Definition;
  return Function->getCanonicalDecl();
}

static const clang::FunctionDecl *functionIn(clang::NamedDecl *D) {
  D = D->getUnderlyingDecl();
  if (auto *Template = llvm::dyn_cast<clang::FunctionTemplateDecl>(D))
    return Template->getTemplatedDecl();
  return llvm::dyn_cast<clang::FunctionDecl>(D);
}

/// The function that \p E names, through parentheses, casts and `&`; null for a run-time value.
static const clang::FunctionDecl *namedFunction(const clang::Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Address = llvm::dyn_cast<clang::UnaryOperator>(E))
    if (Address->getOpcode() == clang::UO_AddrOf || Address->getOpcode() == clang::UO_Deref)
      return namedFunction(Address->getSubExpr());
  if (const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(E))
    return functionIn(const_cast<clang::ValueDecl *>(Reference->getDecl()));
  // A template's name in dependent code, `kernel<T>`: one candidate is an answer.
  if (const auto *Overloads = llvm::dyn_cast<clang::OverloadExpr>(E))
    if (Overloads->getNumDecls() == 1)
      return functionIn(*Overloads->decls_begin());
  return nullptr;
}

static llvm::StringRef calleeName(const clang::CallExpr *Call) {
  if (const clang::FunctionDecl *Function = Call->getDirectCallee())
    return Function->getIdentifier() ? Function->getName() : "";
  if (const auto *Lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(Call->getCallee()))
    if (const clang::IdentifierInfo *Name = Lookup->getName().getAsIdentifierInfo())
      return Name->getName();
  return "";
}

namespace {

class LaunchVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  explicit LaunchVisitor(ParsedSubmission &Submission)
      : Submission(Submission), Pass(*Submission.Host) {}

  bool TraverseDecl(clang::Decl *D) override {
    const clang::FunctionDecl *Outer = Caller;
    if (auto *Function = llvm::dyn_cast_or_null<clang::FunctionDecl>(D))
      Caller = Function;
    bool Continue = clang::DynamicRecursiveASTVisitor::TraverseDecl(D);
    Caller = Outer;
    return Continue;
  }

  bool VisitFunctionDecl(clang::FunctionDecl *Function) override {
    if (!Function->hasAttr<clang::CUDAGlobalAttr>() ||
        !Pass.isInSubmission(Function->getLocation()))
      return true;
    const clang::FunctionDecl *Written = patternOf(Function);
    if (Seen.insert(Written).second)
      Submission.Kernels.push_back(
          {Written, Written->getQualifiedNameAsString(), Pass.placeOf(Written->getLocation())});
    return true;
  }

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *Call) override {
    addLaunch(Call, namedFunction(Call->getCallee()));
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *Call) override {
    if (llvm::isa<clang::CUDAKernelCallExpr>(Call))
      return true;
    std::optional<unsigned> Argument = kernelArgument(calleeName(Call));
    if (Argument && *Argument < Call->getNumArgs())
      addLaunch(Call, namedFunction(Call->getArg(*Argument)));
    return true;
  }

private:
  void addLaunch(const clang::Expr *Launch, const clang::FunctionDecl *Kernel) {
    Submission.Launches.push_back({Launch, Kernel ? patternOf(Kernel) : nullptr, Caller,
                                   Pass.placeOf(Launch->getBeginLoc())});
  }

  ParsedSubmission &Submission;
  const ParsedPass &Pass;
  const clang::FunctionDecl *Caller = nullptr;
  llvm::DenseSet<const clang::FunctionDecl *> Seen;
};

static bool runsOnDevice(const clang::Decl *D) {
  return D->hasAttr<clang::CUDADeviceAttr>() || D->hasAttr<clang::CUDAGlobalAttr>();
}

class DeviceCodeFinder : public clang::DynamicRecursiveASTVisitor {
public:
  bool VisitLambdaExpr(clang::LambdaExpr *Lambda) override {
    return !isInHostFunction(Lambda->getCallOperator());
  }
  bool VisitFunctionDecl(clang::FunctionDecl *Function) override {
    return !isInHostFunction(Function);
  }

private:
  static bool isInHostFunction(const clang::FunctionDecl *Function) {
    if (!runsOnDevice(Function))
      return false;
    const clang::DeclContext *Outer = Function->getParentFunctionOrMethod();
    return Outer && !runsOnDevice(clang::Decl::castFromDeclContext(Outer));
  }
};

} // namespace

bool cupel::holdsDeviceCode(const ParsedPass &Host) {
  DeviceCodeFinder Finder; // A walk stops at the first find.
  return llvm::any_of(Host.topLevelDecls(),
                      [&](clang::Decl *D) { return !Finder.TraverseDecl(D); });
}

void cupel::listLaunches(ParsedSubmission &Submission) {
  LaunchVisitor Visitor(Submission);
  for (clang::Decl *D : Submission.Host->topLevelDecls())
    Visitor.TraverseDecl(D);
  // A dispatch macro repeats its body for each type; that is one place of the source.
  const clang::SourceManager &SM = Submission.Host->sourceManager();
  std::set<std::pair<unsigned, unsigned>> Seen;
  llvm::erase_if(Submission.Launches, [&](const LaunchInfo &L) {
    clang::SourceLocation At = L.Launch->getBeginLoc();
    return !Seen.insert(
                    {SM.getFileLoc(At).getRawEncoding(), SM.getSpellingLoc(At).getRawEncoding()})
                .second;
  });
}
