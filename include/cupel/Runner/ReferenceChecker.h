//===- ReferenceChecker.h - runs problems' references without a submission --===//
#ifndef CUPEL_RUNNER_REFERENCECHECKER_H
#define CUPEL_RUNNER_REFERENCECHECKER_H

#include "cupel/Problem/ProblemSpec.h"
#include "cupel/Problem/ReferenceReport.h"
#include "cupel/Runner/WorkerPair.h"

namespace cupel {

class Judge;

/// For `cupel problem check`: one judge for many problems, since its start takes seconds. With
/// DeviceChoice::Auto a GPU is used where there is one, else the CPU, on which references run too.
class ReferenceChecker {
public:
  /// \p TimeoutSeconds: of one case.
  explicit ReferenceChecker(WorkerOptions Workers, double TimeoutSeconds = 300);
  ~ReferenceChecker();

  /// Runs the reference of \p Problem on \p Case. Errors: `worker-missing`, those of the judge
  /// (docs/verdicts.md) and what it says of the reference. After any error the next problem can be
  /// checked; a judge that broke is replaced.
  llvm::Expected<ReferenceReport> check(const ProblemSpec &Problem, const CaseSpec &Case);

  /// `NVIDIA H200` or `cpu`; empty before the first check.
  const std::string &device() const { return Device; }

private:
  llvm::Error ensureJudge();
  llvm::Error open(const ProblemSpec &Problem);

  WorkerOptions Workers;
  double TimeoutSeconds;
  std::unique_ptr<Judge> TheJudge;
  std::string Device, Opened;
};

} // namespace cupel

#endif // CUPEL_RUNNER_REFERENCECHECKER_H
