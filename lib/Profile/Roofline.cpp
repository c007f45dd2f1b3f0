//===- Roofline.cpp - how near a time is to what the GPU can do -------------===//

#include "cupel/Profile/Roofline.h"
#include "cupel/Profile/RecordJson.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A rate is the best of a few runs and a time a median, so that a call at the memory's pace comes
/// out a few percent to either side of the floor.
constexpr double NearShare = 0.9;
/// Beyond what any inaccuracy of a rate or a cost explains: half of the bytes did not move.
constexpr double NotDoneShare = 0.5;

struct Rate {
  std::string Name;
  double Value = 0;
};

/// The greatest of \p Rates; a value of 0 when there is none.
Rate highest(const std::map<std::string, double> &Rates) {
  Rate Best;
  for (const auto &[Name, Value] : Rates)
    if (Value > Best.Value)
      Best = {Name, Value};
  return Best;
}

Rate flopsPeak(ProblemCost::Arithmetic Kind, const std::map<std::string, double> &Tflops) {
  if (Kind == ProblemCost::Arithmetic::Any)
    return highest(Tflops);
  auto Double = Tflops.find("float64");
  if (Kind == ProblemCost::Arithmetic::None || Double == Tflops.end())
    return {};
  return {Double->first, Double->second};
}

/// Bytes over 10^9 bytes a second, or flops over 10^12 a second, in microseconds.
std::optional<double> floorUs(std::optional<double> Work, double Rate, double Unit) {
  if (!Work || *Work <= 0 || Rate <= 0)
    return std::nullopt;
  return *Work / (Rate * Unit) * 1e6;
}

std::optional<double> fraction(const RooflineRecord &R, std::optional<double> TimeUs) {
  if (!TimeUs || *TimeUs <= 0)
    return std::nullopt;
  return *R.FloorUs / *TimeUs;
}

void setFloors(RooflineRecord &R, ProblemCost::Arithmetic Kind, const PeakRates &Peaks) {
  const Rate Dram = highest(Peaks.DramGbPerS), Arithmetic = flopsPeak(Kind, Peaks.Tflops);
  R.BytesFloorUs = floorUs(R.Bytes, Dram.Value, 1e9);
  R.FlopsFloorUs = floorUs(R.Flops, Arithmetic.Value, 1e12);
  if (!R.BytesFloorUs && !R.FlopsFloorUs)
    return;
  if (R.BytesFloorUs.value_or(0) >= R.FlopsFloorUs.value_or(0)) {
    R.BoundBy = "bytes";
    R.Peak = Dram.Name;
    R.PeakGbPerS = Dram.Value;
  } else {
    R.BoundBy = "flops";
    R.Peak = Arithmetic.Name;
    R.PeakTflops = Arithmetic.Value;
  }
  R.FloorUs = std::max(R.BytesFloorUs.value_or(0), R.FlopsFloorUs.value_or(0));
  // A measured rate can come out too low, when another process used the GPU meanwhile; the pins'
  // cannot, and an honest call must not be rejected for it.
  if (R.BytesFloorUs)
    R.JudgedFloorUs = floorUs(*R.Bytes - Peaks.L2Bytes,
                              std::max(Dram.Value, Peaks.DramTheoreticalGbPerS.value_or(0)), 1e9);
}

std::string percent(double Share) { return std::to_string(std::lround(100 * Share)) + " %"; }

/// The baseline that is faster than the judged floor by more than a measurement's inaccuracy.
const BaselineTiming *belowFloor(const TimingRecord &Timing, double FloorUs) {
  auto Found = llvm::find_if(Timing.Baselines, [&](const BaselineTiming &B) {
    return B.TimeUs && *B.TimeUs < NearShare * FloorUs;
  });
  return Found == Timing.Baselines.end() ? nullptr : &*Found;
}

void judgeBytes(const RooflineRecord &R, const TimingRecord &Timing, FloorJudgement &Result) {
  const double Floor = *R.JudgedFloorUs, Time = *Timing.CandidateUs;
  const std::string Least = formatMicroseconds(Floor) + " that moving the problem's " +
                            formatQuantity(*R.Bytes, "B") +
                            " takes at least, without what the L2 cache can keep";
  // The reference does the work by definition.
  if (const BaselineTiming *B = belowFloor(Timing, Floor)) {
    Result.Remarks.push_back(
        {"cost-too-high", "the baseline '" + B->Name + "' takes " + formatMicroseconds(*B->TimeUs) +
                              ", less than the " + Least + ": the problem's [cost] is wrong"});
    return;
  }
  const std::string Text = "a call takes " + formatMicroseconds(Time) + ", which is " +
                           percent(Time / Floor) + " of the " + Least;
  if (Time < NotDoneShare * Floor)
    Result.Rejects = Reason{"faster-than-floor", Text + ": the work was not done"};
  else if (Time < NearShare * Floor)
    Result.Remarks.push_back({"below-floor", Text});
}

json::Value ratesToJson(const std::map<std::string, double> &Rates) {
  json::Object Result;
  for (const auto &[Name, Value] : Rates)
    Result[Name] = Value;
  return Result;
}

json::Value distanceToJson(const FloorDistance &D) {
  return json::Object{{"name", D.Name},
                      {"fraction_of_floor", recordjson::write(D.FractionOfFloor)}};
}

bool readDistance(const json::Value &Value, FloorDistance &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  return Map && Map.map("name", Out.Name) &&
         recordjson::read(*Value.getAsObject(), "fraction_of_floor", Out.FractionOfFloor, P);
}

/// The numbers of the record under their keys.
template <typename Record, typename Function> void eachNumber(Record &R, Function Each) {
  Each("flops", R.Flops);
  Each("bytes", R.Bytes);
  Each("floor_us", R.FloorUs);
  Each("fraction_of_floor", R.FractionOfFloor);
  Each("bytes_floor_us", R.BytesFloorUs);
  Each("flops_floor_us", R.FlopsFloorUs);
  Each("judged_floor_us", R.JudgedFloorUs);
  Each("peak_gb_per_s", R.PeakGbPerS);
  Each("peak_tflops", R.PeakTflops);
}

bool readRoofline(const json::Value &Value, RooflineRecord &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  if (!Map)
    return false;
  const json::Object &Object = *Value.getAsObject();
  bool Good = true;
  eachNumber(Out, [&](StringRef Key, std::optional<double> &Number) {
    Good = Good && recordjson::read(Object, Key, Number, P);
  });
  return Good && recordjson::read(Object, "reason", Out.Why, P) &&
         recordjson::read(Object, "bound_by", Out.BoundBy, P) &&
         recordjson::read(Object, "peak", Out.Peak, P) &&
         recordjson::readList(Object, "baselines", Out.Baselines, P, readDistance);
}

} // namespace

RooflineRecord cupel::drawRoofline(const ProblemCost &Cost, const std::optional<PeakRates> &Peaks,
                                   const TimingRecord &Timing) {
  RooflineRecord R;
  R.Flops = Cost.Flops;
  R.Bytes = Cost.Bytes;
  if (!Cost.Flops && !Cost.Bytes)
    R.Why = Reason{"no-cost", "the problem gives no [cost]"};
  else if (!Peaks)
    R.Why = Reason{"not-run", "the GPU's rates were not asked for"};
  else if (Peaks->NotMeasured)
    R.Why = Peaks->NotMeasured;
  if (R.Why)
    return R;
  setFloors(R, Cost.Kind, *Peaks);
  if (!R.FloorUs) {
    R.Why = Reason{"no-cost", "the problem's [cost] asks for nothing that was measured"};
    return R;
  }
  R.FractionOfFloor = fraction(R, Timing.CandidateUs);
  for (const BaselineTiming &B : Timing.Baselines)
    R.Baselines.push_back({B.Name, fraction(R, B.TimeUs)});
  return R;
}

FloorJudgement cupel::judgeFloor(const RooflineRecord &R, const TimingRecord &Timing) {
  FloorJudgement Result;
  if (R.Why || !Timing.CandidateUs)
    return Result;
  if (R.JudgedFloorUs)
    judgeBytes(R, Timing, Result);
  // Winograd's and Fourier's transforms, and inputs with a structure, need fewer operations than
  // the problem's cost has, so that this floor rejects nobody.
  if (R.FlopsFloorUs && *Timing.CandidateUs < NearShare * *R.FlopsFloorUs)
    Result.Remarks.push_back(
        {"below-flops-floor",
         "a call takes " + formatMicroseconds(*Timing.CandidateUs) + ", which is " +
             percent(*Timing.CandidateUs / *R.FlopsFloorUs) + " of the " +
             formatMicroseconds(*R.FlopsFloorUs) + " that the problem's " +
             formatQuantity(*R.Flops, "flop") +
             " take on this GPU: an algorithm with fewer operations, or work left out"});
  return Result;
}

std::string cupel::peakText(const RooflineRecord &R) {
  if (R.PeakGbPerS)
    return "DRAM " + printableLine(R.Peak, 20) + ", " + formatQuantity(*R.PeakGbPerS * 1e9, "B/s");
  if (R.PeakTflops)
    return printableLine(R.Peak, 20) + " products, " +
           formatQuantity(*R.PeakTflops * 1e12, "flop/s");
  return "";
}

json::Value cupel::toJson(const PeakRates &Peaks) {
  return json::Object{
      {"reason", recordjson::write(Peaks.NotMeasured)},
      {"dram_gb_per_s", ratesToJson(Peaks.DramGbPerS)},
      {"tflops", ratesToJson(Peaks.Tflops)},
      {"l2_bytes", Peaks.L2Bytes},
      {"dram_theoretical_gb_per_s", recordjson::write(Peaks.DramTheoreticalGbPerS)}};
}

bool cupel::fromJSON(const json::Value &Value, PeakRates &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  if (!Map || !recordjson::read(*Value.getAsObject(), "reason", Out.NotMeasured, P))
    return false;
  if (Out.NotMeasured)
    return true;
  return Map.map("dram_gb_per_s", Out.DramGbPerS) && Map.map("tflops", Out.Tflops) &&
         Map.map("l2_bytes", Out.L2Bytes) &&
         Map.mapOptional("dram_theoretical_gb_per_s", Out.DramTheoreticalGbPerS);
}

json::Value cupel::toJson(const RooflineRecord &Record) {
  json::Array Baselines;
  for (const FloorDistance &D : Record.Baselines)
    Baselines.push_back(distanceToJson(D));
  json::Object Result{
      {"state", toString(Record.Why ? MeasuredState::NotMeasured : MeasuredState::Measured)},
      {"reason", recordjson::write(Record.Why)},
      {"bound_by", recordjson::writeOrNull(Record.BoundBy)},
      {"peak", recordjson::writeOrNull(Record.Peak)},
      {"baselines", std::move(Baselines)}};
  eachNumber(Record, [&](StringRef Key, const std::optional<double> &Number) {
    Result[Key] = recordjson::write(Number);
  });
  return Result;
}

llvm::Expected<RooflineRecord> cupel::rooflineRecordFromJson(const json::Value &Value) {
  return recordjson::parse<RooflineRecord>(Value, "roofline", readRoofline);
}
