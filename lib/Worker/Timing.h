//===- Timing.h - latency of one call with a cold cache ---------------------===//
#ifndef CUPEL_WORKER_TIMING_H
#define CUPEL_WORKER_TIMING_H

#include "Device.h"
#include <functional>
#include <vector>

namespace cupel::worker {

struct TimingPlan {
  int64_t Samples = 1;
  double TimeLimitUs = 0; ///< Of wall time for all samples; 0: none.
  int64_t Warmup = 0;
  int64_t Warm = 0; ///< Samples with a warm cache, before the others; for a tenth of TimeLimitUs.
};

/// The fields `samples`, `time_limit_us`, `warmup` and `warm_samples` of a request. Throws
/// `bad-request`.
TimingPlan parseTiming(const Json &Request);

struct TimingSamples {
  std::vector<double> DeviceUs; ///< Between two CUDA events around the call.
  /// Wall time from the start of the call on the device until all its streams are idle. Larger than
  /// DeviceUs by the cost of waiting, or by work that the events do not see.
  std::vector<double> HostUs;
  std::vector<double> WarmUs; ///< As DeviceUs, with what was left in the cache.
  bool StoppedByTime = false;
};

/// What is timed. \c Prepare runs before each sample, untimed; its argument says whether the sample
/// is the last. \c Call's work must be queued on the current stream or joined to it.
struct TimedCall {
  std::function<void(bool Last)> Prepare;
  std::function<void()> Call;
};

TimingSamples timeCalls(Device &Device, const TimingPlan &Plan, const TimedCall &Timed);

/// `samples_us`, `host_us`, `warm_us`, `stopped_by`.
Json toJson(const TimingSamples &Samples);

} // namespace cupel::worker

#endif // CUPEL_WORKER_TIMING_H
