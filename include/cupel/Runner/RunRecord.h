//===- RunRecord.h - the output of the run phase ----------------------------===//
#ifndef CUPEL_RUNNER_RUNRECORD_H
#define CUPEL_RUNNER_RUNRECORD_H

#include "cupel/Profile/Clocks.h"
#include "cupel/Profile/Roofline.h"
#include "cupel/Profile/TimingSeries.h"
#include "cupel/Runner/ErrorFigures.h"
#include "cupel/Runner/KernelRecord.h"
#include "cupel/Support/Error.h"
#include "cupel/Support/Isolation.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// passed, failed or not_measured of one case.
enum class CheckState { Passed, Failed, NotMeasured };
llvm::StringRef toString(CheckState State);

/// What the emulation saw a kernel do that explains results and rejects nothing. docs/emulation.md
/// has the codes.
struct KernelNote {
  Reason What; ///< The text names the kernel, block, thread, file and line.
  std::string Kernel;
  std::vector<int64_t> Block, Thread; ///< Of the first that did it; empty outside of kernels.
  unsigned Line = 0;                  ///< Of the submission; 0: unknown.
};

/// Whether one of both is enough to tell: the same at the same line.
inline bool isAlike(const KernelNote &A, const KernelNote &B) {
  return A.What.Code == B.What.Code && A.Kernel == B.Kernel && A.Line == B.Line;
}

/// The figures are those of the worst call.
struct CaseRecord : ErrorFigures {
  std::string Name;
  CheckState State = CheckState::NotMeasured;
  std::vector<Reason> Reasons;   ///< Why, unless passed: `wrong-values`, `nan`, `wrong-shape`, ...
  std::vector<KernelNote> Notes; ///< Of all calls; one for each code and line.
};

struct CorrectnessRecord {
  CheckState State = CheckState::NotMeasured;
  std::optional<Reason> Why;
  std::vector<CaseRecord> Cases;
};

/// One kernel that the emulation ran, over its launches in one call of the entry.
struct EmulatedKernel {
  std::string Name, MangledName; ///< Empty where they are not known.
  unsigned Calls = 0;
  std::array<unsigned, 3> Grid{}, Block{}; ///< Of the first launch.
  uint64_t DynamicSharedBytes = 0;
  /// What nvcc's ptxas says of it, and what follows on an H100.
  std::optional<unsigned> Registers, StaticSharedBytes;
  std::optional<double> TheoreticalOccupancy; ///< 0 to 1.
  std::optional<Reason> Why;                  ///< Why there is no occupancy.
};

/// What was seen of a submission at run time.
struct RunRecord {
  std::string Device; ///< `NVIDIA H200`, `cpu`.
  /// Of the candidate that ran the cases; empty when none was started or without isolation.
  IsolationReport Isolation;
  /// Of the candidate that the profile was taken in, where counters were refused to one that runs
  /// in all layers; else empty.
  IsolationReport ProfileIsolation;
  std::string Seed; ///< Hexadecimal master seed.
  CorrectnessRecord Correctness;
  std::vector<TimingSeries> Timing; ///< Candidate first, then baselines.
  std::optional<Reason> TimingNotMeasured;
  std::optional<ClockReadings> Clocks; ///< While blocks were timed; absent when none was.
  std::optional<PeakRates> Peaks;      ///< Absent when nothing was timed, or no cost is known.
  ProfileData Profile;
  std::vector<EmulatedKernel> EmulatedKernels; ///< Of the last call that was right.
  /// What went wrong with the candidate: `crashed`, `timed-out`, `cuda-illegal-address`, ...
  std::vector<Reason> Reasons;
};

llvm::json::Value toJson(const KernelNote &Note);
llvm::json::Value toJson(const RunRecord &Record);
llvm::Expected<RunRecord> runRecordFromJson(const llvm::json::Value &Value);

} // namespace cupel

#endif // CUPEL_RUNNER_RUNRECORD_H
