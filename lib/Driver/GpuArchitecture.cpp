//===- GpuArchitecture.cpp - the GPU that a build is for --------------------===//

#include "GpuArchitecture.h"
#include "cupel/Build/Builder.h"
#include "cupel/Support/Process.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

using namespace cupel;

bool cupel::hasGpu() { return llvm::sys::fs::exists("/dev/nvidiactl"); }

/// `9.0` to 90.
static unsigned capabilityOf(llvm::StringRef Text) {
  auto [Major, Minor] = Text.trim().split('.');
  unsigned A = 0, B = 0;
  return Major.getAsInteger(10, A) || Minor.getAsInteger(10, B) ? 0 : 10 * A + B;
}

std::string cupel::gpuArchitecture() {
  constexpr unsigned WithoutGpu = 90;
  if (!hasGpu())
    return architectureFor(WithoutGpu);
  // The driver's own tool: no CUDA library is linked to this half.
  ProcessOptions Options;
  Options.Program = "nvidia-smi";
  Options.Arguments = {"--query-gpu=compute_cap", "--format=csv,noheader", "--id=0"};
  Options.TimeoutSeconds = 30;
  llvm::Expected<ProcessResult> Result = runProcess(Options);
  if (!Result) {
    llvm::consumeError(Result.takeError());
    return architectureFor(WithoutGpu);
  }
  unsigned Capability = Result->succeeded() ? capabilityOf(Result->Stdout) : 0;
  return architectureFor(Capability ? Capability : WithoutGpu);
}
