//===- NoKernel.cpp - fallback-no-kernel -----------------------------------===//

#include "NoKernel.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/StringSet.h"

namespace cupel {

NoKernelCheck::NoKernelCheck()
    : Check("fallback-no-kernel", Level::Reject,
            "No kernel of the submission is launched on a live path from the entry") {}

namespace {

/// What one way through the submission says about its kernels.
struct KernelUse {
  const FunctionUse *Reached = nullptr;
  const FunctionUse *Unreached = nullptr;
};

KernelUse findKernelUse(const Program &Code, const Symbols &Names) {
  KernelUse Found;
  for (const auto &Unit : Code.units())
    for (const auto &Use : Unit->Uses)
      if (Use->Callee && Use->Callee->hasAttr<clang::CUDAGlobalAttr>() &&
          Names.isDefinedHere(Use->Callee))
        (Code.isReached(*Use) ? Found.Reached : Found.Unreached) = Use.get();
  return Found;
}

/// A launch on the way from the entry of a kernel that some value names: a graph, a pointer.
const FunctionUse *findLaunchOfValue(const Program &Code) {
  static const llvm::StringSet<> Launching = {"cudaGraphLaunch",     "cuGraphLaunch",
                                              "cudaLaunchKernel",    "cudaLaunchCooperativeKernel",
                                              "cuLaunchKernel",      "cuLaunchCooperativeKernel",
                                              "cudaLaunchKernelExC", "cudaLaunchKernelEx",
                                              "cuLaunchKernelEx"};
  for (const auto &Unit : Code.units())
    for (const auto &Use : Unit->Uses)
      if (Use->Callee && Use->Callee->getIdentifier() &&
          Launching.contains(Use->Callee->getName()) && Code.isReached(*Use))
        return Use.get();
  return nullptr;
}

/// The same by `<<<>>>` with a pointer.
bool launchesPointer(const ParsedSubmission &Submission, const Program &Code) {
  return llvm::any_of(Submission.Launches, [&](const LaunchInfo &L) {
    const CodeUnit *Unit = L.Kernel || !L.Caller ? nullptr : Code.unitOf(L.Caller);
    return Unit && Unit->IsReached;
  });
}

} // namespace

void NoKernelCheck::run(CheckContext &Context) const {
  if (Context.entries().empty())
    return;
  const Program &Code = Context.program();
  const KernelUse Direct = findKernelUse(Code, Context.symbols());
  if (Direct.Reached)
    return;
  const FunctionUse *Launch = findLaunchOfValue(Code);
  if (Launch || launchesPointer(Context.submission(), Code)) {
    // A plan or a graph that another function of the file made holds the kernel.
    std::vector<const clang::FunctionDecl *> All = Context.submission().PreparingFunctions;
    llvm::append_range(All, Context.submission().EntryFunctions);
    Program Whole(Context.pass(), Context.symbols(), All);
    if (findKernelUse(Whole, Context.symbols()).Reached)
      return;
  }
  Report &R =
      Context.report(*this, Context.levelOfAbsence(), Context.entries().front()->getLocation(),
                     "the entry launches no kernel of this submission");
  if (Direct.Unreached)
    Context.note(R, Direct.Unreached->Location, "this launch is never reached");
}

} // namespace cupel
