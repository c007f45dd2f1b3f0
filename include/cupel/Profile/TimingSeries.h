//===- TimingSeries.h - raw time samples of one thing -----------------------===//
#ifndef CUPEL_PROFILE_TIMINGSERIES_H
#define CUPEL_PROFILE_TIMINGSERIES_H

#include "cupel/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// Raw samples of one thing that was timed, in the order taken, microseconds of GPU time.
struct TimingSeries {
  std::string Name; ///< `candidate`, `eager`, ...
  std::vector<double> SamplesUs;
  std::vector<double> HostUs; ///< Wall time of the same calls.
  /// Samples of each block, in order; blocks of the same number were taken one after the other.
  std::vector<unsigned> BlockSizes;
  std::string StoppedBy; ///< `noise` or `time`.
  std::optional<Reason> NotMeasured;
  std::vector<double> WarmUs; ///< Samples that found the L2 cache warm; few.
};

} // namespace cupel

#endif // CUPEL_PROFILE_TIMINGSERIES_H
