//===- ExplanationTest.cpp - what a record means ------------------------------===//

#include "cupel/Report/Explanation.h"
#include "cupel/Report/JsonReport.h"
#include "cupel/Report/ReadRecord.h"
#include "cupel/Report/ReasonPages.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

EvalRecord timedRecord() {
  EvalRecord Record;
  Record.Problem = "level1/relu";
  Record.Submission = "relu.cu";
  Record.Run = RunRecord();
  Record.Run->Device = "NVIDIA H200";
  Record.Run->Seed = "2a";
  Record.Run->Correctness.State = CheckState::Passed;
  KernelRecord Kernel;
  Kernel.Name = "relu(float const*, float*, int)";
  Kernel.Provenance = "submission";
  Kernel.State = "measured";
  Kernel.TimeUs = 3040;
  Kernel.Calls = 1;
  Kernel.Share = 1;
  Kernel.DramPercent = 88;
  Kernel.OccupancyLimits = {"warps"};
  Kernel.Stalls = {{"long_scoreboard", 20, 0.8}};
  Record.Run->Profile = {"measured", std::nullopt,         0.5,           132,
                         {Kernel},   {{"aten::empty", 1}}, {"/s/lib.so"}, 3040};
  Record.Timing = TimingRecord();
  Record.Timing->State = MeasuredState::Measured;
  Record.Timing->CandidateUs = 3040;
  BaselineTiming Eager;
  Eager.Name = "eager";
  Eager.State = MeasuredState::Measured;
  Eager.TimeUs = 3050;
  Eager.Speedup = 1.003;
  Eager.SpeedupCi95 = Interval{0.999, 1.007};
  Record.Timing->Baselines = {Eager};
  Record.Timing->WarmUs = 2900.5;
  Record.Timing->Clocks = summarizeClocks({{1980, 1965}, {40, 41}, {4, 0}, std::nullopt});
  PeakRates Peaks;
  Peaks.DramGbPerS = {{"copy", 4000}};
  Record.Roofline =
      drawRoofline({1e9, 11.4e9, ProblemCost::Arithmetic::Any}, Peaks, *Record.Timing);
  Record.Result = {Verdict::Accepted, {{"fills-and-copies", "fills take 2 %"}}};
  return Record;
}

std::string json(const EvalRecord &Record) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeJson(Record, OS);
  return Text;
}

std::string explained(const EvalRecord &Record) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeExplanation(Record, OS);
  return Text;
}

void expectPart(const std::string &Text, const std::string &Part) {
  EXPECT_NE(Text.find(Part), std::string::npos) << Text;
}

TEST(ReadRecord, AFinishedRecordIsWrittenAgainTheSame) {
  std::string Written = json(timedRecord());
  llvm::Expected<EvalRecord> Read = readFinishedRecord(Written, "r.json");
  ASSERT_TRUE(static_cast<bool>(Read)) << llvm::toString(Read.takeError());
  EXPECT_EQ(json(*Read), Written);
}

TEST(ReadRecord, NothingRan) {
  EvalRecord Record = timedRecord();
  Record.Run.reset();
  Record.Timing.reset();
  llvm::Expected<EvalRecord> Read = readFinishedRecord(json(Record), "r.json");
  ASSERT_TRUE(static_cast<bool>(Read)) << llvm::toString(Read.takeError());
  EXPECT_FALSE(Read->Run || Read->Timing);
}

TEST(ReadRecord, WhatIsNoRecordIsRefused) {
  std::string Whole = json(timedRecord());
  auto Refused = [](std::string Text, const std::string &Part) {
    llvm::Expected<EvalRecord> Read = readFinishedRecord(Text, "r.json");
    ASSERT_FALSE(static_cast<bool>(Read));
    expectPart(llvm::toString(Read.takeError()), Part);
  };
  Refused("[", "not JSON");
  Refused("{}", "no key 'cupel'");
  auto Without = [&](const std::string &From, const std::string &To) {
    std::string Text = Whole;
    Text.replace(Text.find(From), From.size(), To);
    return Text;
  };
  Refused(Without("\"accepted\"", "\"perfect\""), "no 'verdict'");
  Refused(Without("\"grid\": [", "\"grid\": [1, "), "expected three numbers");
  Refused(Without("\"floor_us\": ", "\"floor_us\": {}, \"was\": "), "roofline.floor_us");
  Refused(Without("\"stalls\": [", "\"stalls\": [3, "), "stalls");
}

TEST(ReasonPages, RowsOfTheTablesThatNameTheCode) {
  const char *Page = "# Title\n\n| code | when | do |\n| --- | --- | --- |\n| `a`, `b` | x | y |\n"
                     "| `ab` | z | w |\n\nNo `a` row.\n\n| kind | what |\n| --- | --- |\n"
                     "| `a` | again |\n";
  std::vector<ReasonRow> Rows = rowsFor("a", Page);
  ASSERT_EQ(Rows.size(), 2u);
  EXPECT_EQ(Rows[0], (ReasonRow{{"when", "x"}, {"do", "y"}}));
  EXPECT_EQ(Rows[1], (ReasonRow{{"what", "again"}}));
  EXPECT_TRUE(rowsFor("c", Page).empty());
}

TEST(Explanation, ReasonsSpeedupsAndKernels) {
  std::string Text = explained(timedRecord());
  expectPart(Text, "Remarks\n\n  fills-and-copies\n      here: fills take 2 %\n");
  expectPart(Text, "      when: fills and copies take more than 1 %\n");
  expectPart(Text, "the interval includes 1, so no difference is claimed");
  expectPart(Text,
             "Roofline\n  No call should take less than 2.85 ms: the problem moves 11.4 GB at "
             "least, and the most that was seen of this GPU is DRAM copy, 4.00 TB/s.\n"
             "  candidate: 1.07 times the floor, 94 % of what is possible\n"
             "  eager: 1.07 times the floor, 93 % of what is possible\n");
  expectPart(Text, "bound by DRAM, at 88 %");
  expectPart(Text, "long_scoreboard      80.0 % of a warp's cycles, 20.00 an instruction");
  expectPart(Text, "Operators of torch in one call\n  aten::empty, 1 call\n");
  expectPart(Text, "Libraries that it brought\n  /s/lib.so\n");
  EvalRecord Slower = timedRecord();
  Slower.Timing->Baselines[0].SpeedupCi95 = Interval{0.5, 0.6};
  expectPart(explained(Slower), "slower than the baseline");
}

TEST(Explanation, AFindingIsExplainedByItsPage) {
  EvalRecord Record;
  Record.Result = {Verdict::Rejected, {{"fallback-aten-call", "a.cu:1:2: at::relu"}}};
  std::string Text = explained(Record);
  expectPart(Text, "Reasons\n");
  expectPart(Text, "A function of torch that computes is called");
  expectPart(Text, "'cupel checks explain fallback-aten-call'");
}

TEST(Explanation, NothingSteersTheTerminal) {
  EvalRecord Record = timedRecord();
  Record.Result.Reasons = {{"crashed\033[2J", "\033[31mred"}};
  Record.Run->Profile.Kernels[0].Stalls[0].Reason = "\033]0;x\a";
  Record.Timing->Baselines[0].Name = "e\033[2J";
  Record.Roofline->Baselines[0].Name = Record.Roofline->Peak = "e\033[2J";
  std::string Text = explained(Record);
  EXPECT_EQ(Text.find('\033'), std::string::npos);
  EXPECT_EQ(Text.find('\a'), std::string::npos);
}

} // namespace
