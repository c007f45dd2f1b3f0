//===- KernelTable.cpp - from launches to one record a kernel ---------------===//

#include "KernelTable.h"
#include "Occupancy.h"
#include "Provenance.h"
#include <algorithm>
#include <cuda_runtime_api.h>

using namespace cupel::worker;

namespace {

double median(std::vector<double> Values) {
  if (Values.empty())
    return 0;
  auto Middle = Values.begin() + static_cast<std::ptrdiff_t>(Values.size() / 2);
  std::nth_element(Values.begin(), Middle, Values.end());
  return *Middle;
}

/// The time from the first start to the last end, in microseconds.
struct Span {
  double GapsUs = 0; ///< That no activity covers.
  double BusyUs = 0; ///< The rest.
};

Span spanOf(std::vector<Activity> Seen) {
  if (Seen.empty())
    return {};
  std::sort(Seen.begin(), Seen.end(),
            [](const Activity &A, const Activity &B) { return A.Start < B.Start; });
  uint64_t Gaps = 0, Begin = Seen.front().Start, End = Begin;
  for (const Activity &One : Seen) {
    Gaps += One.Start > End ? One.Start - End : 0;
    End = std::max(End, One.End);
  }
  return {1e-3 * static_cast<double>(Gaps), 1e-3 * static_cast<double>(End - Begin - Gaps)};
}

} // namespace

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
  const Span Whole = spanOf(Seen);
  GapsUs.push_back(Whole.GapsUs);
  BusyUs.push_back(Whole.BusyUs);
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

void KernelTable::addCounters(CounterLevel Counted, const std::vector<CounterValues> &Launches) {
  Level = Counted;
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
    if (auto Occupancy = theoreticalOccupancy(Like, Properties)) {
      Record["theoretical_occupancy"] = Occupancy->Share;
      Record["occupancy_limits"] = Occupancy->Limits;
    }
  if (Row.Counters.empty())
    return Record;
  addCounterFields(Record, Level, Row.Counters);
  return Record;
}

double KernelTable::launchGapsUs() const { return median(GapsUs); }

double KernelTable::busyUs() const {
  return BusyUs.empty() ? 0 : *std::min_element(BusyUs.begin(), BusyUs.end());
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
