//===- WorkerPair.cpp - judge and candidate, started ahead of need ----------===//

#include "WorkerPairState.h"
#include "llvm/Support/FileSystem.h"

using namespace cupel;

WorkerPair::WorkerPair(std::unique_ptr<State> Self) : Self(std::move(Self)) {}
WorkerPair::~WorkerPair() = default;

llvm::Expected<std::unique_ptr<WorkerPair>> WorkerPair::start(const WorkerOptions &Options) {
  if (Options.Worker.empty() || !llvm::sys::fs::can_execute(Options.Worker))
    return makeError("worker-missing",
                     Options.Worker.empty()
                         ? "cupel-worker was not found; build it with CUPEL_ENABLE_WORKER=ON, or "
                           "name it in CUPEL_WORKER"
                         : "the worker '" + Options.Worker + "' is no program that can be run");
  auto Both = std::make_unique<State>();
  llvm::Expected<std::unique_ptr<Judge>> TheJudge = Judge::start(Options);
  if (!TheJudge)
    return TheJudge.takeError();
  Both->TheJudge = std::move(*TheJudge);
  llvm::Expected<std::unique_ptr<Candidate>> TheCandidate = Candidate::start(Options);
  if (!TheCandidate)
    return TheCandidate.takeError();
  Both->TheCandidate = std::move(*TheCandidate);
  return std::unique_ptr<WorkerPair>(new WorkerPair(std::move(Both)));
}
