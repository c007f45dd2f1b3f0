//===- Metrics.cpp - what is counted of a kernel -----------------------------===//

#include "Metrics.h"
#include <algorithm>
#include <cmath>

using namespace cupel::worker;

namespace {

/// How the values of several launches of one kernel become one.
enum class Together { Sum, MeanByTime };

struct Metric {
  const char *Name; ///< CUPTI's.
  const char *Key;  ///< Of the kernel's record; null for what others are worked out from.
  double Factor;    ///< From CUPTI's unit to the record's.
  Together How;
  double Most = HUGE_VAL; ///< Of the record. What is above was counted in passes that do not fit.
};

/// ncu's sections "Speed Of Light", "Occupancy" and "Memory Workload Analysis" show the same
/// metrics. The first BasicCount are those of the level `basic`.
constexpr Metric Metrics[] = {
    {"gpu__time_duration.sum", nullptr, 1, Together::Sum}, // Nanoseconds; the weight of the others.
    {"dram__bytes.sum", "dram_bytes", 1, Together::Sum},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "dram_percent", 1, Together::MeanByTime},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "achieved_occupancy", 0.01,
     Together::MeanByTime},
    {"lts__t_sector_hit_rate.pct", "l2_hit_rate", 0.01, Together::MeanByTime, 1},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "tensor_percent", 1,
     Together::MeanByTime},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "sm_percent", 1, Together::MeanByTime},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", "issue_percent", 1,
     Together::MeanByTime},
    {"lts__throughput.avg.pct_of_peak_sustained_elapsed", "l2_percent", 1, Together::MeanByTime},
    {"lts__t_bytes.sum", "l2_bytes", 1, Together::Sum},
    {"l1tex__t_sector_hit_rate.pct", "l1_hit_rate", 0.01, Together::MeanByTime, 1},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", nullptr, 1, Together::Sum},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", nullptr, 1, Together::Sum},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", nullptr, 1, Together::Sum},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", nullptr, 1, Together::Sum},
    // How much of a sector of 32 bytes a load or store asks for: 1 is coalesced.
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "load_sector_use", 0.01,
     Together::MeanByTime},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", "store_sector_use", 0.01,
     Together::MeanByTime},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "shared_bank_conflicts", 1,
     Together::Sum},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "shared_wavefronts", 1, Together::Sum},
    {"l1tex__t_bytes_pipe_lsu_mem_local_op_ld.sum", "local_load_bytes", 1, Together::Sum},
    {"l1tex__t_bytes_pipe_lsu_mem_local_op_st.sum", "local_store_bytes", 1, Together::Sum},
};
constexpr size_t BasicCount = 6;
constexpr size_t Time = 0, DramBytes = 1, L2Bytes = 9, Loads = 11, Stores = 13;

/// Why a warp that could not issue could not, by the names of ncu's section "Warp State". Each is
/// the number of warps in this state for an instruction issued, so that their sum with `selected`
/// is the cycles from one instruction of a warp to its next.
#define STALL(Reason)                                                                              \
  Metric {                                                                                         \
    "smsp__average_warps_issue_stalled_" #Reason "_per_issue_active.ratio", #Reason, 1,            \
        Together::MeanByTime                                                                       \
  }
constexpr Metric Stalls[] = {
    STALL(long_scoreboard),
    STALL(short_scoreboard),
    STALL(barrier),
    STALL(membar),
    STALL(mio_throttle),
    STALL(lg_throttle),
    STALL(tex_throttle),
    STALL(math_pipe_throttle),
    STALL(wait),
    STALL(no_instruction),
    STALL(not_selected),
    STALL(sleeping),
    STALL(dispatch_stall),
    STALL(drain),
    STALL(branch_resolving),
    STALL(imc_miss),
    STALL(misc),
    STALL(gmma),     // Hopper alone.
    STALL(selected), // Issues: no stall, but part of the sum.
};
#undef STALL
constexpr size_t StallsShown = 3;

/// NaN when no launch has the value \p I.
double together(const std::vector<CounterValues> &Launches, size_t I, Together How) {
  double Sum = 0, Weight = 0;
  for (const CounterValues &Launch : Launches) {
    double Share = How == Together::Sum ? 1 : Launch[Time];
    Sum += Share * Launch[I];
    Weight += Share;
  }
  return How == Together::Sum || Weight == 0 ? Sum : Sum / Weight;
}

void addRatio(Json &Record, const char *Key, double Numerator, double Denominator) {
  if (std::isfinite(Numerator) && Denominator > 0)
    Record[Key] = Numerator / Denominator;
}

/// `stalls`: the reasons that cost most, with their part of all cycles of a warp.
void addStalls(Json &Record, const std::vector<CounterValues> &Launches) {
  std::vector<std::pair<double, const char *>> Cycles;
  double All = 0;
  for (size_t I = 0; I < std::size(Stalls); ++I) {
    double Value = together(Launches, std::size(Metrics) + I, Stalls[I].How);
    if (!std::isfinite(Value))
      continue;
    All += Value;
    if (std::string(Stalls[I].Key) != "selected")
      Cycles.push_back({Value, Stalls[I].Key});
  }
  if (All <= 0)
    return;
  std::stable_sort(Cycles.begin(), Cycles.end(),
                   [](const auto &A, const auto &B) { return A.first > B.first; });
  Cycles.resize(std::min(Cycles.size(), StallsShown));
  Record["stalls"] = Json::array();
  for (auto [Value, Reason] : Cycles)
    Record["stalls"].push_back(
        {{"reason", Reason}, {"cycles_per_instruction", Value}, {"share", Value / All}});
}

} // namespace

const std::vector<const char *> &cupel::worker::countedMetrics(CounterLevel Level) {
  static const std::vector<const char *> Full = [] {
    std::vector<const char *> Result;
    for (const Metric &Metric : Metrics)
      Result.push_back(Metric.Name);
    for (const Metric &Stall : Stalls)
      Result.push_back(Stall.Name);
    return Result;
  }();
  static const std::vector<const char *> Basic(Full.begin(), Full.begin() + BasicCount);
  return Level == CounterLevel::Basic ? Basic : Full;
}

void cupel::worker::addCounterFields(Json &Record, CounterLevel Level,
                                     const std::vector<CounterValues> &Launches) {
  auto Value = [&](size_t I) { return together(Launches, I, Metrics[I].How); };
  for (size_t I = 0; I < (Level == CounterLevel::Basic ? BasicCount : std::size(Metrics)); ++I)
    if (Metrics[I].Key)
      if (double Counted = Metrics[I].Factor * Value(I);
          std::isfinite(Counted) && Counted <= Metrics[I].Most)
        Record[Metrics[I].Key] = Counted;
  // Bytes a nanosecond are gigabytes a second.
  addRatio(Record, "dram_gb_per_s", Value(DramBytes), Value(Time));
  if (Level == CounterLevel::Basic)
    return;
  addRatio(Record, "l2_gb_per_s", Value(L2Bytes), Value(Time));
  addRatio(Record, "load_sectors_per_request", Value(Loads), Value(Loads + 1));
  addRatio(Record, "store_sectors_per_request", Value(Stores), Value(Stores + 1));
  addStalls(Record, Launches);
}
