//===- KernelTable.h - from launches to one record a kernel -----------------===//
#ifndef CUPEL_WORKER_CUPTI_KERNELTABLE_H
#define CUPEL_WORKER_CUPTI_KERNELTABLE_H

#include "../Protocol.h"
#include "Activity.h"
#include "RangeProfiler.h"
#include <optional>

struct cudaDeviceProp;

namespace cupel::worker {

/// The metrics that `profile` counts; \c CounterValues have this order.
const std::vector<const char *> &countedMetrics();

/// The activity of several equal calls, summed up by kernel, grid and block.
class KernelTable {
public:
  KernelTable(std::string Library, const cudaDeviceProp &Properties)
      : Library(std::move(Library)), Properties(Properties) {}

  /// Adds one call. All calls are expected to launch the same; times are the median over the calls.
  void addCall(const std::vector<Activity> &Seen);

  size_t kernelLaunches() const; ///< Of the first call, without copies and fills.

  /// Adds what was counted, launch by launch in the first call's order. Throws NotMeasured
  /// `other-launches` when there is another number of them.
  void addCounters(const std::vector<CounterValues> &Launches);

  /// Why no kernel has counters.
  void setReason(const Json &Why) { Reason = Why; }

  /// `kernels` of the protocol, longest first.
  Json toJson() const;

private:
  struct Row {
    Activity Like;
    std::vector<double> CallUs; ///< One a call.
    unsigned Calls = 0;         ///< Launches in the first call.
    std::vector<CounterValues> Counters;
  };
  size_t rowOf(const Activity &Seen);
  Json rowJson(const Row &Row, double Total) const;

  std::string Library;
  const cudaDeviceProp &Properties;
  std::vector<Row> Rows;
  std::vector<size_t> LaunchRows; ///< Row of each kernel launch of the first call.
  size_t CallCount = 0;
  Json Reason;
};

} // namespace cupel::worker

#endif // CUPEL_WORKER_CUPTI_KERNELTABLE_H
