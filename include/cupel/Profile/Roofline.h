//===- Roofline.h - how near a time is to what the GPU can do ---------------===//
//
// A problem's cost and the rates that this GPU was seen to reach give a time below which no call
// should come; docs/measuring.md has the rules and why they are as lenient as they are.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_PROFILE_ROOFLINE_H
#define CUPEL_PROFILE_ROOFLINE_H

#include "cupel/Profile/ProfileRecord.h"
#include <map>

namespace cupel {

/// What the worker's `peaks` found, measured once a GPU.
struct PeakRates {
  std::optional<Reason> NotMeasured;        ///< The rest is empty then.
  std::map<std::string, double> DramGbPerS; ///< `copy`, `read`, `write`.
  std::map<std::string, double> Tflops;     ///< Matrix products: `float64`, `tf32`, `bfloat16`, ...
  double L2Bytes = 0;
  std::optional<double> DramTheoreticalGbPerS; ///< What the memory's pins can carry.
};

/// What a call has to do, of the problem's `[cost]` at the sizes of the case that is timed.
struct ProblemCost {
  std::optional<double> Flops, Bytes;
  /// Whose peak bounds the flops. A tolerance may permit tensor cores and shorter types, so that
  /// short floats are bounded by the fastest product of all; integers by none.
  enum class Arithmetic { None, Double, Any } Kind = Arithmetic::None;
};

struct FloorDistance {
  std::string Name;                      ///< Of a baseline.
  std::optional<double> FractionOfFloor; ///< Floor over time; absent when it was not timed.
};

/// The `roofline` of the record (design section 11).
struct RooflineRecord {
  std::optional<Reason> Why; ///< Why there is no floor; only the cost may be there then.
  std::optional<double> Flops, Bytes;
  std::optional<double> FloorUs;         ///< The larger of the next two.
  std::optional<double> BytesFloorUs;    ///< At the highest of the DRAM rates.
  std::optional<double> FlopsFloorUs;    ///< At the highest rate that Arithmetic allows.
  std::string BoundBy;                   ///< `bytes` or `flops`.
  std::string Peak;                      ///< `copy`, `bfloat16`, ...: of BoundBy.
  std::optional<double> PeakGbPerS;      ///< When bound by bytes.
  std::optional<double> PeakTflops;      ///< When bound by flops.
  std::optional<double> FractionOfFloor; ///< Floor over time of the candidate.
  std::vector<FloorDistance> Baselines;
  /// The floor that judges, below which the work was not done: without the bytes that the L2 cache
  /// can keep, at the rate of the memory's pins. Absent when the cache can keep all.
  std::optional<double> JudgedFloorUs;
};

RooflineRecord drawRoofline(const ProblemCost &Cost, const std::optional<PeakRates> &Peaks,
                            const TimingRecord &Timing);

/// What the distance to the floor says against the candidate, or for a reader to know.
struct FloorJudgement {
  std::optional<Reason> Rejects; ///< `faster-than-floor`.
  std::vector<Reason> Remarks;   ///< `below-floor`, `below-flops-floor`, `cost-too-high`.
};
FloorJudgement judgeFloor(const RooflineRecord &Roofline, const TimingRecord &Timing);

/// `DRAM copy, 4.70 TB/s` or `bfloat16 products, 790 Tflop/s`; empty without a floor.
std::string peakText(const RooflineRecord &Roofline);

llvm::json::Value toJson(const PeakRates &Peaks);
bool fromJSON(const llvm::json::Value &Value, PeakRates &Out, llvm::json::Path P);
llvm::json::Value toJson(const RooflineRecord &Record);
llvm::Expected<RooflineRecord> rooflineRecordFromJson(const llvm::json::Value &Value);

} // namespace cupel

#endif // CUPEL_PROFILE_ROOFLINE_H
