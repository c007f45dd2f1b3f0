//===- Profile.h - the kernels of one call ----------------------------------===//
//
// The only door to Cupti/, which is left out with CUPEL_ENABLE_CUPTI=OFF. Never used in a process in
// which times are taken afterwards: CUPTI stays in a process that has loaded it.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_PROFILE_H
#define CUPEL_WORKER_PROFILE_H

#include "Device.h"
#include <functional>

namespace cupel::worker {

/// The reply of `profile`: `kernels`, `state`, `reason`. \p Library is the submission's; its kernels
/// have the provenance `submission`. \p Counters adds the range profiler's figures.
Json profileCalls(Device &Device, const std::string &Library, bool Counters,
                  const std::function<void()> &Call);

/// `features` of the reply of `hello`.
Json profilingFeatures(Device &Device, bool Probe);

} // namespace cupel::worker

#endif // CUPEL_WORKER_PROFILE_H
