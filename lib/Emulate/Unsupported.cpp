//===- Unsupported.cpp - what has no equivalent on a CPU --------------------===//

#include "Rewrite.h"
#include "cupel/Emulate/Emulate.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticSema.h"

using namespace cupel;
using llvm::StringRef;

namespace {

struct Unknown {
  StringRef Prefix; ///< Of a function's, type's or namespace's name.
  StringRef What;
};

// Design section 9 and issue 5, point 3.
constexpr Unknown Functions[] = {
    {"tex1D", "a texture"},
    {"tex2D", "a texture"},
    {"tex3D", "a texture"},
    {"texCubemap", "a texture"},
    {"surf1D", "a surface"},
    {"surf2D", "a surface"},
    {"surf3D", "a surface"},
    {"cudaCreateTextureObject", "a texture"},
    {"cudaCreateSurfaceObject", "a surface"},
    {"cudaGraph", "a CUDA graph"},
    {"cudaStreamBeginCapture", "a CUDA graph"},
    {"cudaLaunchHostFunc", "a host function in a stream"},
    {"cudaLaunchDevice", "a launch from device code (dynamic parallelism)"},
    {"cudaGetParameterBuffer", "a launch from device code (dynamic parallelism)"},
    {"cuTensorMap", "a tensor map (TMA)"},
    {"cuLaunchKernel", "a launch through the driver API"},
    {"cuModuleLoad", "a module of the driver API"},
    {"nvrtc", "compilation at run time"},
    {"cublas", "cuBLAS"},
    {"cudnn", "cuDNN"},
    {"cusparse", "cuSPARSE"},
    {"cufft", "cuFFT"},
    {"cusolver", "cuSOLVER"},
};

/// Of those, what the run-time has (share/emulate/cupel/emulate/Names.h).
constexpr StringRef KnownFunctions[] = {
    "cudaGraphInstantiate",
    "cudaGraphInstantiateWithFlags",
    "cudaGraphLaunch",
    "cudaGraphDestroy",
    "cudaGraphExecDestroy",
    "cudaGraphUpload",
    "cudaStreamBeginCapture",
    "cudaGraphCreate",
    "cudaGraphAddKernelNode",
    "cudaGraphAddMemcpyNode1D",
    "cudaGraphAddMemsetNode",
    "cudaGraphAddHostNode",
    "cudaGraphAddEmptyNode",
    "cudaGraphAddDependencies",
    "cudaGraphKernelNodeSetParams",
    "cudaGraphExecKernelNodeSetParams",
    "cudaGraphExecUpdate",
};

constexpr Unknown Types[] = {
    {"CUtensorMap", "a tensor map (TMA)"},
    {"cluster_group", "a thread block cluster"},
};

class UnknownFinder : public clang::DynamicRecursiveASTVisitor {
public:
  explicit UnknownFinder(const RewriteContext &Context) : Context(Context) {}

  bool VisitDeclRefExpr(clang::DeclRefExpr *Reference) override {
    if (llvm::isa<clang::FunctionDecl>(Reference->getDecl()))
      look(Reference->getDecl(), Reference->getLocation(), Functions);
    return true;
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc Type) override {
    look(Type.getDecl(), Type.getBeginLoc(), Types);
    return true;
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc Type) override {
    look(Type.getDecl(), Type.getBeginLoc(), Types);
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl *Function) override {
    if (const auto *Dimensions = Function->getAttr<clang::CUDAClusterDimsAttr>())
      if (Context.isOwn(Function->getLocation()))
        Context.refuse(Dimensions->getLocation(), "a thread block cluster");
    // It would switch off the checks of memory.
    if (Context.isOwn(Function->getLocation()) &&
        (Function->hasAttr<clang::NoSanitizeAttr>() ||
         Function->hasAttr<clang::DisableSanitizerInstrumentationAttr>()))
      Context.refuse(Function->getLocation(), "a function that asks not to be instrumented");
    return true;
  }
  /// The run-time's own names, by which code could reach its list of errors.
  bool VisitNamedDecl(clang::NamedDecl *D) override {
    if (!D->getIdentifier() || !Context.isOwn(D->getLocation()))
      return true;
    StringRef Name = D->getName();
    bool IsOurs = Name.starts_with_insensitive("cupel") && !Name.starts_with("cupel_submission");
    if (IsOurs || Name.starts_with("__cupel") || Name.starts_with("__asan"))
      Context.refuse(D->getLocation(), "a name of the emulation's own ('" + Name + "')");
    return true;
  }

private:
  void look(const clang::NamedDecl *D, clang::SourceLocation Location,
            llvm::ArrayRef<Unknown> Table) {
    // What the submission calls like one of them is its own.
    if (!D->getIdentifier() || !Context.isOwn(Location) || Context.isOwn(D->getLocation()))
      return;
    if (llvm::is_contained(KnownFunctions, D->getName()))
      return;
    for (const Unknown &U : Table)
      if (D->getName().starts_with(U.Prefix))
        return Context.refuse(Location, U.What + " ('" + D->getName() + "')");
  }
  const RewriteContext &Context;
};

} // namespace

void cupel::refuseUnknown(const RewriteContext &Context) {
  UnknownFinder Finder(Context);
  for (clang::Decl *D : Context.Pass.topLevelDecls())
    Finder.TraverseDecl(D);
}

llvm::Error cupel::refuseDeviceLaunches(const ParsedSubmission &Submission) {
  const StringRef Launch =
      clang::DiagnosticIDs().getDescription(clang::diag::err_cuda_device_kernel_launch_require_rdc);
  std::map<unsigned, SourcePlace> Places; // Both passes tell of each.
  for (const CompilerMessage &Message : Submission.Messages) {
    if (Message.Severity != CompilerMessage::Level::Error)
      continue;
    if (Message.Message != Launch)
      return llvm::Error::success();
    Places.try_emplace(Message.Place.Line, Message.Place);
  }
  llvm::Error All = llvm::Error::success();
  for (const auto &[Line, Place] : Places)
    All = llvm::joinErrors(
        std::move(All),
        makeError("not-emulated", "not emulated: a launch from device code (dynamic parallelism)",
                  Place));
  return All;
}
