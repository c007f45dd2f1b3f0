//===- WorkerPairState.h - the two processes of a WorkerPair -----------------===//
#ifndef CUPEL_LIB_RUNNER_WORKERPAIRSTATE_H
#define CUPEL_LIB_RUNNER_WORKERPAIRSTATE_H

#include "Candidate.h"
#include "Judge.h"
#include "cupel/Runner/WorkerPair.h"

namespace cupel {

struct WorkerPair::State {
  std::shared_ptr<ExchangeMemory> Exchange;
  std::unique_ptr<Judge> TheJudge;
  std::unique_ptr<Candidate> TheCandidate;
};

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_WORKERPAIRSTATE_H
