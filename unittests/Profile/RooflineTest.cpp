//===- RooflineTest.cpp - floors, and what is said of times near them --------===//

#include "cupel/Profile/Roofline.h"
#include "gtest/gtest.h"

using namespace cupel;
using Arithmetic = ProblemCost::Arithmetic;

namespace {

/// 1 GB takes 250 us.
PeakRates peaks() {
  PeakRates Peaks;
  Peaks.DramGbPerS = {{"copy", 3000}, {"read", 4000}, {"write", 3500}};
  Peaks.Tflops = {{"float64", 50}, {"float32", 40}, {"tf32", 400}, {"bfloat16", 800}};
  Peaks.L2Bytes = 50e6;
  return Peaks;
}

TimingRecord timing(double CandidateUs, double EagerUs) {
  TimingRecord Timing;
  Timing.State = MeasuredState::Measured;
  Timing.CandidateUs = CandidateUs;
  BaselineTiming Eager, Compiled;
  Eager.Name = "eager";
  Eager.TimeUs = EagerUs;
  Compiled.Name = "compiled"; // Not measured.
  Timing.Baselines = {Eager, Compiled};
  return Timing;
}

RooflineRecord draw(ProblemCost Cost) { return drawRoofline(Cost, peaks(), timing(500, 1000)); }

TEST(Roofline, TheHighestRateOfMemoryBoundsBytes) {
  RooflineRecord R = draw({1e9, 1e9, Arithmetic::Any});
  ASSERT_FALSE(R.Why);
  EXPECT_DOUBLE_EQ(*R.FloorUs, 250);
  EXPECT_DOUBLE_EQ(*R.BytesFloorUs, 250);
  EXPECT_DOUBLE_EQ(*R.FlopsFloorUs, 1.25);
  EXPECT_EQ(R.BoundBy, "bytes");
  EXPECT_EQ(R.Peak, "read");
  EXPECT_EQ(R.PeakGbPerS, 4000);
  EXPECT_FALSE(R.PeakTflops);
  EXPECT_DOUBLE_EQ(*R.FractionOfFloor, 0.5);
  EXPECT_DOUBLE_EQ(*R.Baselines.at(0).FractionOfFloor, 0.25);
  EXPECT_FALSE(R.Baselines.at(1).FractionOfFloor);
  EXPECT_EQ(peakText(R), "DRAM read, 4.00 TB/s");
}

TEST(Roofline, TheArithmeticThatTheDtypeAllowsBoundsFlops) {
  RooflineRecord Any = draw({1e12, 1e6, Arithmetic::Any});
  EXPECT_EQ(Any.BoundBy, "flops");
  EXPECT_EQ(Any.Peak, "bfloat16");
  EXPECT_DOUBLE_EQ(*Any.FloorUs, 1250);
  EXPECT_EQ(peakText(Any), "bfloat16 products, 800 Tflop/s");
  RooflineRecord Double = draw({1e12, 1e6, Arithmetic::Double});
  EXPECT_EQ(Double.Peak, "float64");
  EXPECT_DOUBLE_EQ(*Double.FloorUs, 20'000);
  RooflineRecord Integers = draw({1e12, 1e6, Arithmetic::None});
  EXPECT_EQ(Integers.BoundBy, "bytes");
  EXPECT_FALSE(Integers.FlopsFloorUs);
}

TEST(Roofline, TheFloorThatJudgesIsLenient) {
  EXPECT_DOUBLE_EQ(*draw({{}, 1e9, Arithmetic::None}).JudgedFloorUs, 237.5);
  EXPECT_FALSE(draw({{}, 50e6, Arithmetic::None}).JudgedFloorUs);
  EXPECT_FALSE(draw({1e12, {}, Arithmetic::Any}).JudgedFloorUs);
  // Rates that were measured while another process used the memory too.
  PeakRates Disturbed = peaks();
  Disturbed.DramTheoreticalGbPerS = 9500;
  RooflineRecord R = drawRoofline({{}, 1e9, Arithmetic::None}, Disturbed, timing(120, 1000));
  EXPECT_DOUBLE_EQ(*R.FloorUs, 250);
  EXPECT_DOUBLE_EQ(*R.JudgedFloorUs, 100);
  EXPECT_FALSE(judgeFloor(R, timing(120, 1000)).Rejects);
}

TEST(Roofline, WhatIsMissingIsNotMeasured) {
  const TimingRecord Timing = timing(500, 1000);
  EXPECT_EQ(drawRoofline({}, peaks(), Timing).Why->Code, "no-cost");
  EXPECT_EQ(drawRoofline({1e9, {}, Arithmetic::None}, peaks(), Timing).Why->Code, "no-cost");
  EXPECT_EQ(drawRoofline({1e9, 1e9, Arithmetic::Any}, {}, Timing).Why->Code, "not-run");
  PeakRates None;
  None.NotMeasured = Reason{"peaks-failed", "no memory"};
  RooflineRecord R = drawRoofline({1e9, 1e9, Arithmetic::Any}, None, Timing);
  EXPECT_EQ(R.Why->Text, "no memory");
  EXPECT_EQ(R.Flops, 1e9);
  EXPECT_FALSE(R.FloorUs);
  EXPECT_FALSE(judgeFloor(R, timing(1e-3, 1)).Rejects);
}

/// The codes that a time of the candidate and one of eager get, below a floor of 237.5 us: the one
/// that rejects with an exclamation mark.
std::string judged(ProblemCost Cost, double CandidateUs, double EagerUs) {
  const TimingRecord Timing = timing(CandidateUs, EagerUs);
  FloorJudgement J = judgeFloor(drawRoofline(Cost, peaks(), Timing), Timing);
  std::string Codes = J.Rejects ? J.Rejects->Code + "!" : "";
  for (const Reason &R : J.Remarks)
    Codes += (Codes.empty() ? "" : " ") + R.Code;
  return Codes;
}

TEST(Roofline, FasterThanHalfOfTheFloorIsRejected) {
  const ProblemCost Cost{{}, 1e9, Arithmetic::Any};
  EXPECT_EQ(judged(Cost, 250, 1000), "");
  EXPECT_EQ(judged(Cost, 215, 1000), "");
  EXPECT_EQ(judged(Cost, 213, 1000), "below-floor");
  EXPECT_EQ(judged(Cost, 120, 1000), "below-floor");
  EXPECT_EQ(judged(Cost, 118, 1000), "faster-than-floor!");
  EXPECT_EQ(judged(Cost, 1, 230), "faster-than-floor!");
}

TEST(Roofline, ACostThatTheReferenceRefutesRejectsNobody) {
  EXPECT_EQ(judged({{}, 1e9, Arithmetic::Any}, 100, 200), "cost-too-high");
  EXPECT_EQ(judged({{}, 1e9, Arithmetic::Any}, 1000, 200), "cost-too-high");
}

TEST(Roofline, WhatTheCacheCanKeepIsNotJudged) {
  EXPECT_EQ(judged({{}, 49e6, Arithmetic::Any}, 0.1, 100), "");
}

TEST(Roofline, FewerOperationsAreARemark) {
  EXPECT_EQ(judged({1e12, 1e6, Arithmetic::Any}, 1200, 2000), "");
  EXPECT_EQ(judged({1e12, 1e6, Arithmetic::Any}, 100, 2000), "below-flops-floor");
  EXPECT_EQ(judged({1e12, 1e6, Arithmetic::None}, 100, 2000), "");
}

TEST(Roofline, JsonBothWays) {
  for (RooflineRecord R :
       {draw({1e9, 1e9, Arithmetic::Any}), draw({1e12, {}, Arithmetic::Any}), draw({})}) {
    const llvm::json::Value Written = toJson(R);
    llvm::Expected<RooflineRecord> Read = rooflineRecordFromJson(Written);
    ASSERT_TRUE(static_cast<bool>(Read)) << llvm::toString(Read.takeError());
    EXPECT_EQ(toJson(*Read), Written);
  }
  llvm::Expected<RooflineRecord> Bad =
      rooflineRecordFromJson(llvm::json::Object{{"floor_us", llvm::json::Array()}});
  ASSERT_FALSE(static_cast<bool>(Bad));
  EXPECT_NE(llvm::toString(Bad.takeError()).find("roofline.floor_us"), std::string::npos);
}

TEST(Roofline, PeaksBothWays) {
  PeakRates Known = peaks(), Unknown;
  Known.DramTheoreticalGbPerS = 4900;
  Unknown.NotMeasured = Reason{"peaks-failed", "no memory"};
  llvm::json::Path::Root Root;
  for (const PeakRates &One : {Known, Unknown}) {
    PeakRates Read;
    ASSERT_TRUE(fromJSON(toJson(One), Read, Root));
    EXPECT_EQ(toJson(Read), toJson(One));
  }
  // An answer without figures must not pass for rates.
  PeakRates Empty;
  EXPECT_FALSE(fromJSON(llvm::json::Object{{"reason", nullptr}}, Empty, Root));
}

} // namespace
