//===- ReferenceChecker.h - runs problems' references without a submission --===//
#ifndef CUPEL_RUNNER_REFERENCECHECKER_H
#define CUPEL_RUNNER_REFERENCECHECKER_H

#include "cupel/Problem/ProblemSpec.h"
#include "cupel/Problem/ReferenceReport.h"
#include "cupel/Runner/WorkerPair.h"
#include <chrono>

namespace cupel {

class Judge;

/// For `cupel problem check`: one judge for many problems, since its start takes seconds. With
/// DeviceChoice::Auto a GPU is used where there is one, else the CPU, on which references run too.
class ReferenceChecker {
public:
  /// \p TimeoutSeconds: of all cases of one problem together.
  explicit ReferenceChecker(WorkerOptions Workers, double TimeoutSeconds = 30);
  ~ReferenceChecker();

  /// Runs the reference of \p Problem on \p Case. Errors: `worker-missing`, `reference-timed-out`,
  /// those of the judge (docs/verdicts.md) and what it says of the reference, with the place. After
  /// any error the next problem can be checked; a judge that broke is replaced, unless none starts.
  llvm::Expected<ReferenceReport> check(const ProblemSpec &Problem, const CaseSpec &Case);

  /// How much memory \p Case takes, whatever its size, without using it. Errors as of check().
  llvm::Expected<MemoryEstimate> estimateMemory(const ProblemSpec &Problem, const CaseSpec &Case);

  /// `NVIDIA H200` or `cpu`; empty before the first check.
  const std::string &device() const { return Device; }

private:
  llvm::Error ensureJudge();
  llvm::Expected<llvm::json::Object> ask(llvm::StringRef Command, const ProblemSpec &Problem,
                                         const CaseSpec &Case);
  llvm::Error open(const ProblemSpec &Problem);
  void begin(const ProblemSpec &Problem);
  double secondsLeft() const;
  llvm::Error explain(llvm::Error E, const ProblemSpec &Problem,
                      const SourcePlace &CasePlace) const;

  WorkerOptions Workers;
  double TimeoutSeconds;
  std::unique_ptr<Judge> TheJudge;
  std::optional<Reason> NoStart; ///< Why no judge starts, once that is known.
  std::string Device, Current, Opened;
  std::chrono::steady_clock::time_point Began;
};

} // namespace cupel

#endif // CUPEL_RUNNER_REFERENCECHECKER_H
