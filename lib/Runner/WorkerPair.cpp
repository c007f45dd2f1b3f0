//===- WorkerPair.cpp - judge and candidate, started ahead of need ----------===//

#include "WorkerPairState.h"

using namespace cupel;

WorkerPair::WorkerPair(std::unique_ptr<State> Self) : Self(std::move(Self)) {}
WorkerPair::~WorkerPair() = default;

llvm::Expected<std::unique_ptr<WorkerPair>> WorkerPair::start(const WorkerOptions &Options) {
  auto Both = std::make_unique<State>();
  llvm::Expected<std::shared_ptr<ExchangeMemory>> Exchange = ExchangeMemory::create();
  if (!Exchange)
    return Exchange.takeError();
  Both->Exchange = std::move(*Exchange);
  llvm::Expected<std::unique_ptr<Judge>> TheJudge = Judge::start(Options, Both->Exchange.get());
  if (!TheJudge)
    return TheJudge.takeError();
  Both->TheJudge = std::move(*TheJudge);
  llvm::Expected<std::unique_ptr<Candidate>> TheCandidate =
      Candidate::start(Options, Both->Exchange);
  if (!TheCandidate)
    return TheCandidate.takeError();
  Both->TheCandidate = std::move(*TheCandidate);
  return std::unique_ptr<WorkerPair>(new WorkerPair(std::move(Both)));
}
