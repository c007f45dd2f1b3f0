//===- TextReportTest.cpp - what a terminal shows ---------------------------===//

#include "cupel/Report/TextReport.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

std::string text(const EvalRecord &Record) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeText(Record, OS);
  return Text;
}

TEST(ShortKernelName, KeepsWhatTellsKernelsApart) {
  EXPECT_EQ(shortKernelName("void f<float>(float*, int)", 40), "f<float>");
  EXPECT_EQ(shortKernelName("relu(float const*, float*, int)", 40), "relu");
  EXPECT_EQ(shortKernelName("void (anonymous namespace)::f<(int)4>(int)", 50),
            "(anonymous namespace)::f<(int)4>");
  EXPECT_EQ(shortKernelName("void f<void (*)(int)>(int (*)(float))", 40), "f<void (*)(int)>");
  EXPECT_EQ(shortKernelName("plain", 40), "plain");
  EXPECT_EQ(shortKernelName("", 40), "");
  EXPECT_EQ(shortKernelName(std::string(100, 'k') + "(int)", 10), "kkkkkkk...");
}

TEST(TextReport, NothingSteersTheTerminal) {
  EvalRecord Record;
  Record.Problem = "level1/relu";
  Record.Submission = "a\033[2Jb.cu";
  Record.Run = RunRecord();
  Record.Run->Profile.State = "measured";
  Record.Run->Profile.Kernels.emplace_back();
  Record.Run->Profile.Kernels[0].Name = "k\033]0;x\a(int)";
  Record.Result.Reasons = {{"crashed", "\033[31mred\r\nline"}};
  std::string Text = text(Record);
  EXPECT_EQ(Text.find('\033'), std::string::npos);
  EXPECT_EQ(Text.find('\a'), std::string::npos);
  EXPECT_EQ(Text.find('\r'), std::string::npos);
}

TEST(TextReport, AMistakeInTheReferenceIsQuoted) {
  EvalRecord Record;
  Record.Result.Reasons = {
      {"reference-failed", "p.toml:8:12: no\n    return foo(x)\n           ^"}};
  EXPECT_NE(text(Record).find("p.toml:8:12: no [reference-failed]\n"), std::string::npos);
  EXPECT_NE(text(Record).find("    return foo(x)\n"), std::string::npos) << text(Record);
  Record.Result.Reasons[0].Code = "out-of-memory";
  EXPECT_NE(text(Record).find("    return foo(x)\n"), std::string::npos) << text(Record);
  Record.Result.Reasons[0].Code = "cuda-out-of-memory"; // The submission's.
  EXPECT_NE(text(Record).find("no\\n    return"), std::string::npos) << text(Record);
  Record.Result.Reasons[0].Code = "exception";
  EXPECT_NE(text(Record).find("no\\n    return"), std::string::npos) << text(Record);
}

TEST(TextReport, ANoteOfSeveralCasesIsToldOnce) {
  EvalRecord Record;
  Record.Run = RunRecord();
  KernelNote Note{{"shared-uninitialised", "k.cu:9: reads\n4 bytes"}, "k", {0, 0, 0}, {1, 0, 0}, 9};
  Record.Run->Correctness.Cases.resize(2);
  Record.Run->Correctness.Cases[0].Notes = {Note};
  Note.What.Text = "k.cu:9: another thread";
  Record.Run->Correctness.Cases[1].Notes = {Note};
  Note.Line = 10;
  Note.What.Text = "k.cu:10: reads";
  Record.Run->Correctness.Cases[1].Notes.push_back(Note);
  std::string Text = text(Record);
  EXPECT_NE(Text.find("  notes        k.cu:9: reads\\n4 bytes [shared-uninitialised]\n"
                      "               k.cu:10: reads [shared-uninitialised]\n"),
            std::string::npos)
      << Text;
  EXPECT_EQ(Text.find("another thread"), std::string::npos) << Text;
}

TEST(TextReport, AThrottledClockStandsBesideTheTime) {
  EvalRecord Record;
  Record.Timing = TimingRecord();
  Record.Timing->State = MeasuredState::Measured;
  Record.Timing->CandidateUs = 10;
  Record.Timing->WarmUs = 5;
  Record.Timing->StoppedBy = "noise";
  Record.Timing->Clocks =
      summarizeClocks({{1980, 1965, 1980}, {40, 42, 41}, {0x2, 0x2 | 0x4, 0x2}, std::nullopt});
  std::string Text = text(Record);
  EXPECT_NE(Text.find("stopped by noise); warm L2 5"), std::string::npos) << Text;
  EXPECT_NE(Text.find("  clocks       SM 1980 MHz (1965 to 1980), 42 C at most; "
                      "applications-clocks-setting in 100 % of the readings; "
                      "throttled: sw-power-cap in 33.3 % of the readings\n"),
            std::string::npos)
      << Text;
  Record.Timing->Clocks = summarizeClocks({{}, {}, {}, Reason{"no-nvml", "no library"}});
  EXPECT_NE(text(Record).find("clocks       not measured (no library)"), std::string::npos);
}

TEST(TextReport, TheFloorIsBelowTheTimes) {
  EvalRecord Record;
  Record.Timing = TimingRecord();
  Record.Timing->State = MeasuredState::Measured;
  Record.Timing->CandidateUs = 400;
  Record.Timing->StoppedBy = "noise";
  BaselineTiming Eager;
  Eager.Name = "eager";
  Eager.TimeUs = 1000;
  Record.Timing->Baselines = {Eager};
  PeakRates Peaks;
  Peaks.DramGbPerS = {{"copy", 4000}};
  const ProblemCost Cost{{}, 1e9, ProblemCost::Arithmetic::Any};
  Record.Roofline = drawRoofline(Cost, Peaks, *Record.Timing);
  EXPECT_NE(text(Record).find("  roofline     floor 250 us (DRAM copy, 4.00 TB/s): candidate at "
                              "62 %, eager at 25 %\n"),
            std::string::npos)
      << text(Record);
  Peaks.NotMeasured = Reason{"peaks-failed", "no memory"};
  Record.Roofline = drawRoofline(Cost, Peaks, *Record.Timing);
  EXPECT_NE(text(Record).find("roofline     not measured (no memory)"), std::string::npos);
}

TEST(TextReport, NotMeasuredSaysWhy) {
  EvalRecord Record;
  Record.Run = RunRecord();
  Record.Run->Correctness.Why = Reason{"no-cuda-device", "no CUDA device"};
  Record.Run->Profile.Why = Reason{"no-cuda-device", "no CUDA device"};
  Record.Timing = TimingRecord();
  Record.Timing->Why = Reason{"no-cuda-device", "no CUDA device"};
  std::string Text = text(Record);
  EXPECT_NE(Text.find("correctness  not measured (no CUDA device)"), std::string::npos) << Text;
  EXPECT_NE(Text.find("time         not measured (no CUDA device)"), std::string::npos) << Text;
  EXPECT_NE(Text.find("kernels      not measured (no CUDA device)"), std::string::npos) << Text;
}

TEST(TextReport, AReasonIsToldOnce) {
  EvalRecord Record;
  Record.Run = RunRecord();
  Record.Run->Correctness.Why = Reason{"no-cuda-device", "no CUDA device"};
  Record.Result = {Verdict::CouldNotJudge, {{"no-cuda-device", "no CUDA device"}}};
  std::string Text = text(Record);
  EXPECT_NE(Text.find("no CUDA device [no-cuda-device]"), std::string::npos) << Text;
  EXPECT_NE(Text.find("correctness  not measured (no-cuda-device)"), std::string::npos) << Text;
}

TEST(TextReport, SpeedUpComesWithItsInterval) {
  EvalRecord Record;
  Record.Timing = TimingRecord();
  Record.Timing->State = MeasuredState::Measured;
  Record.Timing->CandidateUs = 12.3;
  Record.Timing->Samples = 1000;
  Record.Timing->Noise = 0.004;
  Record.Timing->StoppedBy = "noise";
  BaselineTiming Eager;
  Eager.Name = "eager";
  Eager.State = MeasuredState::Measured;
  Eager.TimeUs = 24.6;
  Eager.Speedup = 2;
  Eager.SpeedupCi95 = Interval{1.9, 2.1};
  BaselineTiming Compiled;
  Compiled.Name = "compiled";
  Compiled.Why = Reason{"no-python", "no Python"};
  Record.Timing->Baselines = {Eager, Compiled};
  std::string Text = text(Record);
  EXPECT_NE(
      Text.find("12.3 us  (median of 1000 calls with cold L2, noise 0.4 %, stopped by noise)"),
      std::string::npos)
      << Text;
  EXPECT_NE(Text.find("eager     24.6 us; speed-up 2x [1.9, 2.1]"), std::string::npos) << Text;
  EXPECT_NE(Text.find("compiled  not measured (no Python)"), std::string::npos) << Text;
}

} // namespace
