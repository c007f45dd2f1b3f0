//===- RunRecordTest.cpp -----------------------------------------------------===//

#include "cupel/Runner/RunRecord.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace cupel;

namespace {

RunRecord fullRecord() {
  RunRecord Record;
  Record.Device = "NVIDIA H200";
  Record.Seed = "000000000000002a";
  CaseRecord Case;
  Case.Name = "ragged";
  Case.State = CheckState::Failed;
  Case.MaxError = INFINITY;
  Case.AllowedError = 1e-5;
  Case.FirstMismatch = {0, 3};
  Case.Expected = 1.5;
  Case.Actual = NAN;
  Case.Reasons = {{"nan", "NaN where the reference has none"}};
  Case.Notes = {
      {{"barrier-divergence", "relu.cu:9: warps meet"}, "relu", {1, 0, 0}, {32, 0, 0}, 9}};
  Case.WorstIndex = {1, 2};
  Case.WorstExpected = 1.5;
  Case.ErrorHistogram = {7, 0, 1};
  Record.Correctness = {CheckState::Failed, std::nullopt, {Case}};
  Record.Timing.push_back({"candidate", {1.5, 1.25}, {9, 9}, {2}, "noise", std::nullopt, {1.0}});
  Record.Clocks = ClockReadings{{1980, 345}, {40, 30}, {4, 1}, std::nullopt};
  Record.Peaks = PeakRates{std::nullopt, {{"copy", 4000.5}}, {{"tf32", 400}}, 5e7, 4900};
  Record.Timing.push_back({"eager", {}, {}, {}, "", Reason{"baseline-failed", "memory"}, {}});
  KernelRecord Kernel;
  Kernel.Name = "relu<float>";
  Kernel.Provenance = "submission";
  Kernel.Calls = 2;
  Kernel.Grid = {4, 5, 6};
  Kernel.SharedBytes = uint64_t(1) << 40;
  Kernel.AchievedOccupancy = 0.5;
  Kernel.State = "not_measured";
  Kernel.Why = Reason{"ERR_NVGPUCTRPERM", "no permission"};
  Kernel.OccupancyLimits = {"registers"};
  Kernel.LoadSectorUse = 0.125;
  Kernel.Stalls = {{"long_scoreboard", 7.5, 0.75}};
  Record.Profile = {"measured", std::nullopt,         1.5,           132,
                    {Kernel},   {{"aten::empty", 2}}, {"/s/lib.so"}, 42.5};
  EmulatedKernel Emulated;
  Emulated.Name = "relu";
  Emulated.Calls = 3;
  Emulated.Block = {256, 1, 1};
  Emulated.Registers = 26;
  Emulated.TheoreticalOccupancy = 0.75;
  Record.EmulatedKernels = {Emulated, EmulatedKernel()};
  Record.EmulatedKernels.back().Why = Reason{"nvcc-missing", "no nvcc"};
  Record.Reasons = {{"timed-out", "no answer"}};
  return Record;
}

TEST(RunRecord, JsonBothWays) {
  llvm::json::Value Written = toJson(fullRecord());
  llvm::Expected<RunRecord> Read = runRecordFromJson(Written);
  ASSERT_TRUE(static_cast<bool>(Read)) << llvm::toString(Read.takeError());
  EXPECT_EQ(Written, toJson(*Read));
  EXPECT_TRUE(std::isnan(*Read->Correctness.Cases[0].Actual));
  EXPECT_TRUE(std::isinf(*Read->Correctness.Cases[0].MaxError));
  EXPECT_EQ(Read->Correctness.Cases[0].Notes.at(0).Thread, (std::vector<int64_t>{32, 0, 0}));
  EXPECT_EQ(Read->Profile.Kernels[0].SharedBytes, uint64_t(1) << 40);
  EXPECT_EQ(Read->EmulatedKernels[0].Registers, 26u);
  EXPECT_EQ(Read->EmulatedKernels[1].Registers, std::nullopt);
}

TEST(RunRecord, SurvivesPrinting) {
  RunRecord Record = fullRecord();
  Record.Reasons[0].Text = "bytes \xff that are no text";
  std::string Text;
  llvm::raw_string_ostream(Text) << toJson(Record);
  llvm::Expected<llvm::json::Value> Value = llvm::json::parse(Text);
  ASSERT_TRUE(static_cast<bool>(Value)) << llvm::toString(Value.takeError());
  EXPECT_TRUE(static_cast<bool>(runRecordFromJson(*Value)));
}

std::string parseError(llvm::json::Value Value) {
  llvm::Expected<RunRecord> Read = runRecordFromJson(Value);
  if (Read)
    return "no error";
  std::vector<Reason> Why = takeReasons(Read.takeError());
  EXPECT_EQ(Why[0].Code, "record-invalid");
  return Why[0].Text;
}

TEST(RunRecord, BadRecordsNameThePlace) {
  EXPECT_EQ(parseError(3), "expected object when parsing run");
  EXPECT_EQ(parseError(llvm::json::Object{{"seed", "1"}}), "missing value at run.correctness");
  llvm::json::Value Bad = toJson(fullRecord());
  Bad.getAsObject()->getObject("correctness")->getArray("cases")->front() =
      llvm::json::Object{{"name", "x"}, {"state", "perhaps"}};
  EXPECT_NE(parseError(Bad).find("run.correctness.cases[0].state"), std::string::npos);
  Bad = toJson(fullRecord());
  (*Bad.getAsObject()->getArray("timing")->front().getAsObject())["block_sizes"] =
      llvm::json::Array{5};
  EXPECT_NE(parseError(Bad).find("run.timing[0].block_sizes"), std::string::npos);
  Bad = toJson(fullRecord());
  (*Bad.getAsObject()->getObject("profile")->getArray("kernels")->front().getAsObject())["grid"] =
      llvm::json::Array{5};
  EXPECT_NE(parseError(Bad).find("run.profile.kernels[0].grid"), std::string::npos);
}

} // namespace
