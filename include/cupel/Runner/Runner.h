//===- Runner.h - runs a built submission and judges its results ------------===//
//
// Starts judge and candidate (docs/protocol.md) and leads the conversation: every case is called
// and compared, the benchmark case is timed against the baselines, and a profile is taken in a
// process of its own. Knows neither torch nor CUDA.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_RUNNER_RUNNER_H
#define CUPEL_RUNNER_RUNNER_H

#include "cupel/Problem/ProblemSpec.h"
#include "cupel/Profile/StoppingRule.h"
#include "cupel/Runner/Baseline.h"
#include "cupel/Runner/RunRecord.h"
#include "cupel/Runner/WorkerPair.h"
#include <functional>

namespace cupel {

enum class ProfileLevel { None, Basic, Full };
std::optional<ProfileLevel> parseProfileLevel(llvm::StringRef Text);
std::optional<DeviceChoice> parseDeviceChoice(llvm::StringRef Text);

/// What the compiler for GPUs says of a kernel.
struct KernelFigures {
  std::string MangledName;
  unsigned Registers = 0, StaticSharedBytes = 0;
};

struct RunRequest {
  ProblemSpec Problem;
  std::string File;    ///< The submission, as messages name it.
  std::string Library; ///< The built submission.
  std::string Entry;   ///< The adapter's symbol.
  /// Names in the order of the entry's arguments; empty: the problem's.
  std::vector<std::string> Arguments;
  /// Names of cases; empty: all. The timing needs the benchmark case to be among them.
  std::vector<std::string> Cases;
  std::optional<uint64_t> Seed; ///< Absent: from the kernel's random source.
  /// Of the whole run; one case or one call that is under way may go over it.
  double TimeoutSeconds = 600;
  StoppingOptions Stopping;
  bool Time = true;                                       ///< False: correctness alone.
  std::vector<BaselineKind> Baselines = {BaselineKind{}}; ///< What is timed beside it.
  ProfileLevel Profile = ProfileLevel::Full;
  WorkerOptions Workers;
  /// Asked once, under emulation, for the figures of a submission that is right. An Error: why
  /// there are none.
  std::function<llvm::Expected<std::vector<KernelFigures>>()> Figures;
  /// Called with what is under way: `case ragged`, `timing`, `profile`.
  std::function<void(llvm::StringRef)> Progress;
};

/// Runs the submission. \p Early: processes that were started with the same WorkerOptions, or null.
///
/// Whatever the candidate does is data in the record. Errors are cupel's own: `unknown-case`,
/// `worker-missing`, `worker-start`, `judge-crashed`, `judge-timed-out`, `judge-protocol`,
/// `judge-memory`, and what the judge says of the reference. Without a CUDA device the record says
/// that nothing was measured, with the reason `no-cuda-device`.
llvm::Expected<RunRecord> runSubmission(const RunRequest &Request,
                                        std::unique_ptr<WorkerPair> Early = nullptr);

} // namespace cupel

#endif // CUPEL_RUNNER_RUNNER_H
