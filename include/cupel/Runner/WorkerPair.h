//===- WorkerPair.h - judge and candidate, started ahead of need ------------===//
#ifndef CUPEL_RUNNER_WORKERPAIR_H
#define CUPEL_RUNNER_WORKERPAIR_H

#include "cupel/Support/Error.h"
#include "cupel/Support/Isolation.h"
#include <memory>
#include <string>

namespace cupel {

/// Limits of the two processes. Sizes in bytes.
struct WorkerLimits {
  double StartSeconds = 120; ///< Until a worker says hello: libraries and CUDA context.
  double CallSeconds = 30;   ///< One call of the submission.
  /// Resident memory; 0: three quarters of the machine's, at most 64 GiB.
  uint64_t MemoryBytes = 0;
  uint64_t MaxOutputBytes = 8 << 20;
  unsigned MaxProcesses = 32;
};

/// `auto` takes CUDA. Emulated: the judge works on the CPU, and so does the candidate, whose
/// kernels and tensors say that they are on a CUDA device.
enum class DeviceChoice { Auto, Cuda, Cpu, Emulated };

struct WorkerOptions {
  std::string Worker; ///< Path of cupel-worker.
  DeviceChoice Device = DeviceChoice::Auto;
  std::string EmulateLibrary; ///< That an emulated candidate is started with.
  WorkerLimits Limits;
  IsolationLayers Isolation = AllIsolationLayers; ///< Of candidates.
  /// Files and folders that submissions' libraries load from, beside those of the system and of the
  /// worker: CUDA.
  std::vector<std::string> Readable;
  std::string Counters; ///< The level of the profile that candidates on CUDA are for; empty: none.
};

/// Loading LibTorch and making a CUDA context takes seconds, in which nothing of the submission is
/// needed. So the driver can start both processes before it parses and builds, and hand them to
/// runSubmission; a pair that is not needed is ended by its destructor.
class WorkerPair {
public:
  struct State;

  /// Returns at once; the processes get ready by themselves. Errors: `worker-missing`, and those of
  /// ChildProcess::start.
  static llvm::Expected<std::unique_ptr<WorkerPair>> start(const WorkerOptions &Options);
  ~WorkerPair();

  State &state() { return *Self; }

private:
  explicit WorkerPair(std::unique_ptr<State> Self);
  std::unique_ptr<State> Self;
};

} // namespace cupel

#endif // CUPEL_RUNNER_WORKERPAIR_H
