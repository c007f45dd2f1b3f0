//===- KernelTable.h - from launches to one record a kernel -----------------===//
#ifndef CUPEL_WORKER_CUPTI_KERNELTABLE_H
#define CUPEL_WORKER_CUPTI_KERNELTABLE_H

#include "../Protocol.h"
#include "Activity.h"
#include "Metrics.h"
#include <optional>

struct cudaDeviceProp;

namespace cupel::worker {

/// The activity of several equal calls, summed up by kernel, grid and block.
class KernelTable {
public:
  KernelTable(std::string Library, const cudaDeviceProp &Properties)
      : Library(std::move(Library)), Properties(Properties) {}

  /// Adds one call. All calls are expected to launch the same; times are the median over the calls.
  void addCall(const std::vector<Activity> &Seen);

  size_t kernelLaunches() const; ///< Of the first call, without copies and fills.

  /// Adds what was counted at the level \p Counted, launch by launch in the first call's order.
  /// Throws NotMeasured `other-launches` when there is another number of them.
  void addCounters(CounterLevel Counted, const std::vector<CounterValues> &Launches);

  /// Why no kernel has counters.
  void setReason(const Json &Why) { Reason = Why; }

  /// The time within a call, from its first kernel's start to its last one's end, in which the
  /// device did nothing; median over the calls.
  double launchGapsUs() const;

  /// The time of a call in which the device did something, on any stream; the least of the calls,
  /// since another process's work can only add to it.
  double busyUs() const;

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
  std::vector<double> GapsUs, BusyUs; ///< One a call.
  CounterLevel Level = CounterLevel::Full;
  Json Reason;
};

} // namespace cupel::worker

#endif // CUPEL_WORKER_CUPTI_KERNELTABLE_H
