//===- Profile.h - the kernels of one call ----------------------------------===//
//
// The only door to Cupti/, which is left out with CUPEL_ENABLE_CUPTI=OFF. Never used in a process
// in which times are taken afterwards: CUPTI stays in a process that has loaded it.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_PROFILE_H
#define CUPEL_WORKER_PROFILE_H

#include "Device.h"
#include <functional>
#include <string>

namespace cupel::worker {

struct ProfilePlan {
  std::string Library;       ///< The submission's; its kernels have the provenance `submission`.
  std::string Level;         ///< Of the counters, `basic` or `full`: see Cupti/Metrics.h.
  bool KernelReplay = false; ///< For comparison: see Cupti/RangeProfiler.h.
  std::vector<std::string> LibrariesBefore; ///< Files loaded before the submission's library.
};

/// The reply of `profile`: `kernels`, `launch_gaps_us`, `gpu_busy_us`, `multiprocessors`,
/// `torch_operators`, `libraries`, `state`, `reason`.
Json profileCalls(Device &Device, const ProfilePlan &Plan, const std::function<void()> &Call);

/// Begins, beside whatever comes next, what counters of \p Level, "basic" or "full", take the host
/// in this process.
void prepareProfile(const std::string &Level);

/// `features` of the reply of `hello`.
Json profilingFeatures(Device &Device, bool Probe);

} // namespace cupel::worker

#endif // CUPEL_WORKER_PROFILE_H
