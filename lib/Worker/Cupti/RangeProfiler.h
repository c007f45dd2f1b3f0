//===- RangeProfiler.h - hardware counters, kernel by kernel ----------------===//
#ifndef CUPEL_WORKER_CUPTI_RANGEPROFILER_H
#define CUPEL_WORKER_CUPTI_RANGEPROFILER_H

#include "Library.h"
#include <functional>
#include <vector>

namespace cupel::worker {

/// One value for each metric, in the order asked for; NaN for one that the chip does not have.
using CounterValues = std::vector<double>;

/// How the passes that one set of counters takes are made.
enum class Replay {
  Call,   ///< The entry is called again for each pass, after a cache flush.
  Kernel, ///< CUPTI runs each kernel several times in a row; all but the first find the L2 cache
          ///< warm.
};

/// Begins, in a thread of its own, what counting \p Metrics in this process takes the host alone;
/// whether it can be done is what countEachKernel says. Needs no CUDA context yet: one is made
/// beside it.
void prepareCounting(const std::vector<const char *> &Metrics);

/// Counts \p Metrics of each kernel that \p Call launches, in the order of the launches, \p Kernels
/// of them at most. With Replay::Call, \p Call runs once a pass, each time after \p Prepare, and
/// must launch the same kernels. Throws NotMeasured.
std::vector<CounterValues> countEachKernel(const std::vector<const char *> &Metrics, size_t Kernels,
                                           Replay How, const std::function<void()> &Prepare,
                                           const std::function<void()> &Call);

/// Those of \p Metrics that \p Chip (`GH100`) has; needs no GPU.
std::vector<const char *> metricsOn(const std::string &Chip,
                                    const std::vector<const char *> &Metrics);

/// How many passes \p Metrics take on \p Chip (`GH100`); needs no GPU. Throws NotMeasured for a
/// metric that the chip does not have.
size_t passesOn(const std::string &Chip, const std::vector<const char *> &Metrics);

/// Throws NotMeasured unless the driver gives this process counters.
void probeCounters();

} // namespace cupel::worker

#endif // CUPEL_WORKER_CUPTI_RANGEPROFILER_H
