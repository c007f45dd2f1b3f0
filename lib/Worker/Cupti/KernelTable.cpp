//===- KernelTable.cpp - from launches to one record a kernel ---------------===//

#include "KernelTable.h"
#include "Occupancy.h"
#include "Provenance.h"
#include <algorithm>
#include <cuda_runtime_api.h>
#include <numeric>

using namespace cupel::worker;

namespace {

/// How the values of several launches of one kernel become one.
enum class Together { Sum, MeanByTime };

struct Metric {
  const char *Name; ///< CUPTI's.
  const char *Key;  ///< Of the kernel's record; null for what others are worked out from.
  double Factor;    ///< From CUPTI's unit to the record's.
  Together How;
};

/// ncu's sections "Speed Of Light", "Occupancy" and "Memory Workload Analysis" show the same
/// metrics.
constexpr Metric Metrics[] = {
    {"gpu__time_duration.sum", nullptr, 1, Together::Sum}, // Nanoseconds; the weight of the others.
    {"dram__bytes.sum", "dram_bytes", 1, Together::Sum},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "dram_percent", 1, Together::MeanByTime},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "achieved_occupancy", 0.01,
     Together::MeanByTime},
    {"lts__t_sector_hit_rate.pct", "l2_hit_rate", 0.01, Together::MeanByTime},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "sm_percent", 1, Together::MeanByTime},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "tensor_percent", 1,
     Together::MeanByTime},
    {"l1tex__data_bank_conflicts_pipe_lsu.sum", "shared_bank_conflicts", 1, Together::Sum},
};
constexpr size_t Time = 0, DramBytes = 1;

double median(std::vector<double> Values) {
  if (Values.empty())
    return 0;
  auto Middle = Values.begin() + static_cast<std::ptrdiff_t>(Values.size() / 2);
  std::nth_element(Values.begin(), Middle, Values.end());
  return *Middle;
}

double together(const std::vector<CounterValues> &Launches, size_t I) {
  double Sum = 0, Weight = 0;
  for (const CounterValues &Launch : Launches) {
    double Share = Metrics[I].How == Together::Sum ? 1 : Launch[Time];
    Sum += Share * Launch[I];
    Weight += Share;
  }
  return Metrics[I].How == Together::Sum || Weight == 0 ? Sum : Sum / Weight;
}

} // namespace

const std::vector<const char *> &cupel::worker::countedMetrics() {
  static const std::vector<const char *> Names = [] {
    std::vector<const char *> Result;
    for (const Metric &Metric : Metrics)
      Result.push_back(Metric.Name);
    return Result;
  }();
  return Names;
}

size_t KernelTable::rowOf(const Activity &Seen) {
  for (size_t I = 0; I < Rows.size(); ++I) {
    const Activity &Like = Rows[I].Like;
    if (Like.Name == Seen.Name && Like.Grid == Seen.Grid && Like.Block == Seen.Block &&
        Like.DynamicShared == Seen.DynamicShared)
      return I;
  }
  Rows.push_back({Seen, std::vector<double>(CallCount), 0, {}});
  return Rows.size() - 1;
}

void KernelTable::addCall(const std::vector<Activity> &Seen) {
  bool First = CallCount++ == 0;
  for (Row &Row : Rows)
    Row.CallUs.push_back(0);
  for (const Activity &Launch : Seen) {
    size_t I = rowOf(Launch);
    Rows[I].CallUs.resize(CallCount);
    Rows[I].CallUs.back() += 1e-3 * static_cast<double>(Launch.End - Launch.Start);
    if (!First)
      continue;
    ++Rows[I].Calls;
    if (Launch.What == Activity::Kind::Kernel)
      LaunchRows.push_back(I);
  }
}

size_t KernelTable::kernelLaunches() const { return LaunchRows.size(); }

void KernelTable::addCounters(const std::vector<CounterValues> &Launches) {
  if (Launches.size() != LaunchRows.size())
    throw NotMeasured("other-launches", "one call launched " + std::to_string(LaunchRows.size()) +
                                            " kernels, the counted one " +
                                            std::to_string(Launches.size()));
  for (size_t I = 0; I < Launches.size(); ++I)
    Rows[LaunchRows[I]].Counters.push_back(Launches[I]);
}

Json KernelTable::rowJson(const Row &Row, double Total) const {
  const Activity &Like = Row.Like;
  double Us = median(Row.CallUs);
  Json Record = {{"name", demangled(Like.Name)},
                 {"mangled_name", Like.Name},
                 {"provenance", provenanceOf(Like, Library)},
                 {"calls", Row.Calls},
                 {"time_us", Us},
                 {"share", Total > 0 ? Us / Total : 0},
                 {"grid", Like.Grid},
                 {"block", Like.Block},
                 {"registers", Like.Registers},
                 {"shared_bytes", Like.StaticShared + Like.DynamicShared},
                 {"local_bytes", Like.LocalBytes},
                 {"state", Row.Counters.empty() ? "not_measured" : "measured"}};
  if (Like.What != Activity::Kind::Kernel)
    Record["reason"] = reason("no-kernel", "copies and fills have no counters");
  else if (Row.Counters.empty())
    Record["reason"] = Reason;
  if (Like.What == Activity::Kind::Kernel)
    if (auto Occupancy = theoreticalOccupancy(Like, Properties))
      Record["theoretical_occupancy"] = *Occupancy;
  if (Row.Counters.empty())
    return Record;
  for (size_t I = 0; I < std::size(Metrics); ++I)
    if (Metrics[I].Key)
      Record[Metrics[I].Key] = number(Metrics[I].Factor * together(Row.Counters, I));
  // Bytes a nanosecond are gigabytes a second.
  double Nanoseconds = together(Row.Counters, Time);
  if (Nanoseconds > 0)
    Record["dram_gb_per_s"] = together(Row.Counters, DramBytes) / Nanoseconds;
  return Record;
}

Json KernelTable::toJson() const {
  double Total = 0;
  for (const Row &Row : Rows)
    Total += median(Row.CallUs);
  std::vector<Json> Records;
  for (const Row &Row : Rows)
    Records.push_back(rowJson(Row, Total));
  std::stable_sort(Records.begin(), Records.end(),
                   [](const Json &A, const Json &B) { return A["time_us"] > B["time_us"]; });
  return Records;
}
