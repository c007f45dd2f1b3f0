//===- SideStream.cpp - timing-side-stream ---------------------------------===//

#include "SideStream.h"
#include "../HostUses.h"
#include "StreamJoins.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringSet.h"

namespace cupel {

SideStreamCheck::SideStreamCheck()
    : Check("timing-side-stream", Level::Reject,
            "Work on a stream that the caller's stream never waits for") {}

/// Functions that make the host or another stream wait.
static bool joins(llvm::StringRef Name) {
  static const llvm::StringSet<> Functions = {
      "cudaStreamSynchronize",
      "cudaDeviceSynchronize",
      "cudaStreamWaitEvent",
      "cudaEventSynchronize",
      "cuStreamSynchronize",
      "cuStreamWaitEvent",
      "cuCtxSynchronize",
      "cuEventSynchronize",
      "at::cuda::CUDAEvent::block",
      "at::cuda::CUDAEvent::synchronize",
      "c10::cuda::CUDAEvent::block",
      "c10::cuda::CUDAEvent::synchronize", // Since torch 2.10.
      "c10::cuda::CUDAStream::synchronize",
      "c10::cuda::device_synchronize",
      "c10::cuda::stream_synchronize",
      "c10::Event::block",
      "c10::Event::synchronize",
      "cudaStreamQuery",
      "c10::cuda::CUDAStream::query",
      "cudaStreamEndCapture"};
  return Functions.contains(Name);
}

void SideStreamCheck::run(CheckContext &Context) const {
  bool IsJoined = false;
  std::vector<std::pair<const FunctionUse *, bool>> Makers;
  forEachHostUse(Context, [&](const FunctionUse &Use, llvm::StringRef Name) {
    if (joins(Name) && Context.program().isReached(Use))
      IsJoined = true;
    else if (Name == "cudaStreamCreate" || Name == "cuStreamCreate")
      Makers.push_back({&Use, false});
    else if (Name == "cudaStreamCreateWithFlags" || Name == "cudaStreamCreateWithPriority" ||
             Name == "cuStreamCreateWithPriority")
      Makers.push_back({&Use, integerArgument(Use, 1, Context.ast()).value_or(1) != 0});
    else if (Name == "c10::cuda::getStreamFromPool" || Name == "at::cuda::getStreamFromPool")
      Makers.push_back({&Use, true});
  });
  if (Context.submission().Launches.empty())
    return;
  const std::vector<UnjoinedLaunch> Unjoined = findUnjoinedLaunches(Context);
  // A stream without cudaStreamNonBlocking is ordered with the legacy default stream by itself
  // (CUDA programming guide, "Implicit Synchronization").
  for (auto [Use, IsNonBlocking] : Makers) {
    const auto Launch = llvm::find_if(
        Unjoined, [&](const UnjoinedLaunch &Known) { return Known.Maker == Use->Site; });
    if (IsJoined && Launch == Unjoined.end())
      continue;
    Report &R =
        Context.report(*this, IsNonBlocking ? Level::Reject : Level::Warn, *Use,
                       "work on the stream from '" + Context.symbols().qualifiedName(Use->Callee) +
                           "' is never joined with the caller's stream");
    if (Launch != Unjoined.end())
      Context.note(R, Launch->Launch->getExprLoc(), "nothing waits for this launch");
  }
  // So is the default stream of a thread ("Per-thread default stream").
  for (const UnjoinedLaunch &Launch : Unjoined)
    if (!Launch.Maker)
      Context.report(*this, Level::Warn, Launch.Launch->getExprLoc(),
                     "work on 'cudaStreamPerThread' is never joined with the caller's stream");
}

} // namespace cupel
