//===- Metrics.h - what is counted of a kernel ------------------------------===//
#ifndef CUPEL_WORKER_CUPTI_METRICS_H
#define CUPEL_WORKER_CUPTI_METRICS_H

#include "../Protocol.h"
#include "RangeProfiler.h"

namespace cupel::worker {

/// `basic` takes two passes, `full` sixteen (on GH100).
enum class CounterLevel { Basic, Full };

/// CUPTI's names of what \p Level counts; \c CounterValues of that level have this order.
const std::vector<const char *> &countedMetrics(CounterLevel Level);

/// Sets the fields of \p Record that follow from \p Launches, all launches of one kernel counted at
/// \p Level. What the chip does not count is left out.
void addCounterFields(Json &Record, CounterLevel Level, const std::vector<CounterValues> &Launches);

} // namespace cupel::worker

#endif // CUPEL_WORKER_CUPTI_METRICS_H
