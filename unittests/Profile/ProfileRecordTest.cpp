//===- ProfileRecordTest.cpp -----------------------------------------------===//

#include "cupel/Profile/ProfileRecord.h"
#include "cupel/Profile/RecordJson.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace cupel;

namespace {

TimingSeries series(std::string Name, std::vector<double> Samples) {
  TimingSeries S;
  S.Name = std::move(Name);
  S.BlockSizes = {static_cast<unsigned>(Samples.size())};
  S.SamplesUs = std::move(Samples);
  S.StoppedBy = "noise";
  return S;
}

TEST(ProfileRecord, SpeedupIsTheRatioOfMedians) {
  TimingRecord T =
      summarizeTiming({series("candidate", {10, 11, 10, 9}), series("eager", {20, 21, 19, 20})});
  EXPECT_EQ(T.State, MeasuredState::Measured);
  EXPECT_EQ(T.CandidateUs, 10.0);
  EXPECT_EQ(T.Samples, 4u);
  EXPECT_EQ(T.StoppedBy, "noise");
  ASSERT_EQ(T.Baselines.size(), 1u);
  EXPECT_EQ(T.Baselines[0].Name, "eager");
  EXPECT_EQ(T.Baselines[0].Speedup, 2.0);
  ASSERT_TRUE(T.Baselines[0].SpeedupCi95);
  EXPECT_LE(T.Baselines[0].SpeedupCi95->Low, 2.0);
  EXPECT_GE(T.Baselines[0].SpeedupCi95->High, 2.0);
}

TEST(ProfileRecord, WhatWasNotTimedHasNoFigure) {
  TimingRecord None = summarizeTiming({}, Reason{"no-cuda-device", "no CUDA device"});
  EXPECT_EQ(None.State, MeasuredState::NotMeasured);
  EXPECT_EQ(None.Why->Code, "no-cuda-device");
  EXPECT_FALSE(None.CandidateUs);

  TimingRecord Empty = summarizeTiming({series("candidate", {}), series("eager", {1, 2})});
  EXPECT_EQ(Empty.State, MeasuredState::NotMeasured);
  EXPECT_EQ(Empty.Why->Code, "no-samples");
  EXPECT_FALSE(Empty.Baselines[0].Speedup);
  EXPECT_EQ(Empty.Baselines[0].TimeUs, 1.5);

  TimingSeries Missing = series("compiled", {});
  Missing.NotMeasured = Reason{"baseline-failed", "no compiler"};
  TimingRecord T = summarizeTiming({series("candidate", {1, 2}), Missing});
  EXPECT_EQ(T.Baselines[0].State, MeasuredState::NotMeasured);
  EXPECT_EQ(T.Baselines[0].Why->Code, "baseline-failed");
  EXPECT_FALSE(T.Baselines[0].Speedup);
}

TEST(ProfileRecord, JsonBothWays) {
  TimingSeries Missing = series("graphed", {});
  Missing.NotMeasured = Reason{"baseline-failed", "why"};
  ProfileRecord Record{summarizeTiming(
      {series("candidate", {10, 11, 10, 9}), series("eager", {20, 21, 19, 20}), Missing})};
  llvm::json::Value Written = toJson(Record);
  llvm::Expected<ProfileRecord> Read = profileRecordFromJson(Written);
  ASSERT_TRUE(static_cast<bool>(Read)) << llvm::toString(Read.takeError());
  EXPECT_EQ(Written, toJson(*Read));
  const llvm::json::Object &Timing = *Written.getAsObject()->getObject("timing");
  EXPECT_EQ(Timing.getString("state"), "measured");
  EXPECT_EQ(Timing.getNumber("candidate_us"), 10.0);
  EXPECT_EQ(*Timing.get("reason"), llvm::json::Value(nullptr));
}

std::string parseError(llvm::StringRef Text) {
  llvm::Expected<llvm::json::Value> Value = llvm::json::parse(Text);
  EXPECT_TRUE(static_cast<bool>(Value));
  llvm::Expected<ProfileRecord> Read = profileRecordFromJson(*Value);
  return Read ? "" : takeReasons(Read.takeError()).front().Text;
}

TEST(ProfileRecord, BadRecordsNameThePlace) {
  EXPECT_EQ(parseError("[]"), "profile record: missing key \"timing\"");
  EXPECT_EQ(parseError(R"({"timing": 3})"), "expected object when parsing timing");
  EXPECT_NE(parseError(R"({"timing": {"state": "maybe"}})").find("timing.state"),
            std::string::npos);
  EXPECT_NE(parseError(R"({"timing": {"state": "measured", "samples": 1, "candidate_us": "x"}})")
                .find("timing.candidate_us"),
            std::string::npos);
  EXPECT_NE(parseError(R"({"timing": {"state": "measured", "samples": 1, "baselines": [
      {"name": "eager", "state": "measured", "speedup_ci95": [1]}]}})")
                .find("timing.baselines[0].speedup_ci95"),
            std::string::npos);
}

TEST(RecordJson, NumbersThatAreNotFinite) {
  EXPECT_EQ(recordjson::write(INFINITY), llvm::json::Value("inf"));
  EXPECT_EQ(recordjson::write(-INFINITY), llvm::json::Value("-inf"));
  EXPECT_EQ(recordjson::write(NAN), llvm::json::Value("nan"));
  EXPECT_EQ(recordjson::asNumber("inf"), INFINITY);
  EXPECT_TRUE(std::isnan(*recordjson::asNumber("nan")));
  EXPECT_FALSE(recordjson::asNumber("many"));
  EXPECT_FALSE(recordjson::asNumber(true));
}

} // namespace
