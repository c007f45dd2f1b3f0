//===- RangeProfiler.h - hardware counters, kernel by kernel ----------------===//
#ifndef CUPEL_WORKER_CUPTI_RANGEPROFILER_H
#define CUPEL_WORKER_CUPTI_RANGEPROFILER_H

#include "Library.h"
#include <functional>
#include <vector>

namespace cupel::worker {

/// One value for each metric, in the order asked for.
using CounterValues = std::vector<double>;

/// Counts \p Metrics of each kernel that \p Call launches, in the order of the launches, \p Kernels of
/// them at most. The counters do not all fit into one pass, so that \p Call runs several times, each time
/// after \p Prepare, and must launch the same kernels. Throws NotMeasured.
std::vector<CounterValues> countEachKernel(const std::vector<const char *> &Metrics, size_t Kernels,
                                           const std::function<void()> &Prepare,
                                           const std::function<void()> &Call);

/// How many passes \p Metrics take on \p Chip (`GH100`); needs no GPU. Throws NotMeasured for a metric
/// that the chip does not have.
size_t passesOn(const std::string &Chip, const std::vector<const char *> &Metrics);

/// Throws NotMeasured unless the driver gives this process counters.
void probeCounters();

} // namespace cupel::worker

#endif // CUPEL_WORKER_CUPTI_RANGEPROFILER_H
