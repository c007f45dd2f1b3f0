//===- RunnerTest.cpp - the conversation with workers that behave ------------===//

#include "FakeRun.h"
#include "cupel/Profile/ProfileRecord.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <set>

using namespace cupel;

namespace {

using RunnerTest = FakeRun;

TEST_F(RunnerTest, AGoodSubmissionPassesIsTimedAndProfiled) {
  std::vector<std::string> Steps;
  RunRequest Request = fakeRequest("good");
  Request.Progress = [&](llvm::StringRef What) { Steps.push_back(What.str()); };
  RunRecord Record = run(Request);
  EXPECT_EQ(Record.Device, "Fake GPU");
  EXPECT_EQ(Record.Seed, "000000000000002a");
  EXPECT_EQ(Record.Correctness.State, CheckState::Passed);
  ASSERT_EQ(Record.Correctness.Cases.size(), 3u);
  EXPECT_EQ(Record.Correctness.Cases[0].MaxError, 1e-7);
  EXPECT_TRUE(Record.Reasons.empty()) << Record.Reasons.front().Text;
  ASSERT_EQ(Record.Timing.size(), 2u);
  EXPECT_EQ(Record.Timing[0].Name, "candidate");
  EXPECT_EQ(Record.Timing[0].StoppedBy, "noise");
  EXPECT_GE(Record.Timing[0].SamplesUs.size(), Request.Stopping.MinSamples);
  EXPECT_EQ(Record.Timing[1].Name, "eager");
  ASSERT_EQ(Record.Profile.State, "measured");
  EXPECT_EQ(Record.Profile.Kernels[0].Grid[0], 16u);
  // Small cases first, the benchmark case last.
  EXPECT_EQ(Steps, (std::vector<std::string>{"case small", "case ragged", "case big", "timing",
                                             "profile"}));
  ASSERT_TRUE(Record.Clocks); // One reading a block of each series.
  EXPECT_EQ(Record.Clocks->SmMhz.size(),
            Record.Timing[0].BlockSizes.size() + Record.Timing[1].BlockSizes.size());
  // A submission that counts its calls does not find the one that is compared.
  EXPECT_GT(std::set(Record.Timing[0].BlockSizes.begin(), Record.Timing[0].BlockSizes.end()).size(),
            3u);
  TimingRecord Timing = summarizeTiming(Record.Timing, Record.TimingNotMeasured);
  EXPECT_EQ(Timing.WarmUs, 5.0);
  EXPECT_EQ(Timing.Baselines[0].WarmUs, 10.0);
  EXPECT_NEAR(*Timing.Baselines[0].Speedup, 2.0, 0.01);
}

TEST_F(RunnerTest, SeedsAreRandomUnlessGiven) {
  RunRequest Request = fakeRequest("good");
  Request.Time = false;
  Request.Profile = ProfileLevel::None;
  Request.Seed.reset();
  RunRecord First = run(Request), Second = run(Request);
  EXPECT_NE(First.Seed, Second.Seed);
  EXPECT_EQ(First.TimingNotMeasured->Code, "not-asked");
  EXPECT_EQ(First.Profile.Why->Code, "not-asked");
}

TEST_F(RunnerTest, OnlyTheCasesAskedFor) {
  RunRequest Request = fakeRequest("good");
  Request.Cases = {"ragged"};
  RunRecord Record = run(Request);
  ASSERT_EQ(Record.Correctness.Cases.size(), 1u);
  EXPECT_EQ(Record.Correctness.Cases[0].Name, "ragged");
  EXPECT_EQ(Record.TimingNotMeasured->Code, "no-benchmark-case");
  EXPECT_EQ(Record.Profile.State, "not_measured");
}

TEST_F(RunnerTest, AnUnknownCaseIsNamedWithTheNearest) {
  RunRequest Request = fakeRequest("good");
  Request.Cases = {"raged", "smal"};
  llvm::Expected<RunRecord> Record = runSubmission(Request);
  ASSERT_FALSE(static_cast<bool>(Record));
  std::vector<Reason> Reasons = takeReasons(Record.takeError());
  ASSERT_EQ(Reasons.size(), 2u);
  EXPECT_EQ(Reasons[0].Code, "unknown-case");
  EXPECT_EQ(Reasons[0].Text, "the problem 'test/fake' has no case 'raged'; did you mean 'ragged'?; "
                             "it has big, small, ragged");
}

TEST_F(RunnerTest, WithoutAGpuNothingIsMeasured) {
  RunRequest Request = fakeRequest("good");
  std::string Link = (Folder.path() + "/no-cuda").str();
  std::filesystem::create_symlink(CUPEL_FAKE_WORKER, Link);
  Request.Workers.Worker = Link;
  RunRecord Record = run(Request);
  EXPECT_EQ(Record.Correctness.State, CheckState::NotMeasured);
  EXPECT_EQ(Record.Correctness.Why->Code, "no-cuda-device");
  EXPECT_EQ(Record.Correctness.Why->Text, "no CUDA device: no driver is installed");
  EXPECT_EQ(Record.TimingNotMeasured->Code, "no-cuda-device");
  EXPECT_EQ(Record.Profile.Why->Code, "no-cuda-device");
  EXPECT_TRUE(Record.Reasons.empty());
  std::filesystem::remove(Link);
}

TEST_F(RunnerTest, TheWorkerMustBeThere) {
  RunRequest Request = fakeRequest("good");
  Request.Workers.Worker = "/nowhere/cupel-worker";
  EXPECT_EQ(errorOf(Request), "worker-missing");
  Request.Workers.Worker = "";
  EXPECT_EQ(errorOf(Request), "worker-missing");
}

TEST_F(RunnerTest, WorkersThatWereStartedEarlyAreUsed) {
  RunRequest Request = fakeRequest("good");
  Request.Time = false;
  auto Pair = WorkerPair::start(Request.Workers);
  ASSERT_TRUE(static_cast<bool>(Pair));
  EXPECT_TRUE(becomesFakeProcesses(2));
  llvm::Expected<RunRecord> Record = runSubmission(Request, std::move(*Pair));
  ASSERT_TRUE(static_cast<bool>(Record)) << llvm::toString(Record.takeError());
  EXPECT_EQ(Record->Correctness.State, CheckState::Passed);
}

TEST_F(RunnerTest, AnUnusedPairLeavesNothing) {
  auto Pair = WorkerPair::start(fakeRequest("good").Workers);
  ASSERT_TRUE(static_cast<bool>(Pair));
  Pair->reset();
  EXPECT_TRUE(becomesFakeProcesses(0));
}

TEST_F(RunnerTest, TheTimeLimitStopsWhatHasTooFewSamples) {
  RunRequest Request = fakeRequest("good");
  Request.Profile = ProfileLevel::None;
  Request.Stopping.MinSamples = 1'000'000'000;
  auto Begin = std::chrono::steady_clock::now();
  RunRecord Record = run(Request);
  ASSERT_EQ(Record.Timing.size(), 2u);
  EXPECT_EQ(Record.Timing[0].StoppedBy, "time");
  EXPECT_LT(std::chrono::steady_clock::now() - Begin, std::chrono::seconds(30));
}

TEST_F(RunnerTest, ABaselineThatFailsIsNotMeasured) {
  RunRecord Record = run(fakeRequest("good", "eager-fails"));
  ASSERT_EQ(Record.Timing.size(), 2u);
  EXPECT_FALSE(Record.Timing[0].SamplesUs.empty());
  EXPECT_EQ(Record.Timing[1].NotMeasured->Code, "baseline-failed");
  EXPECT_TRUE(Record.Timing[1].SamplesUs.empty());
  EXPECT_TRUE(Record.Reasons.empty());
}

TEST_F(RunnerTest, EachBaselineIsASeriesOfItsOwn) {
  RunRequest Request = fakeRequest("good");
  Request.Baselines = {*parseBaseline("eager"), *parseBaseline("graphed-tf32")};
  RunRecord Record = run(Request);
  ASSERT_EQ(Record.Timing.size(), 3u);
  EXPECT_EQ(Record.Timing[2].Name, "graphed-tf32");
  EXPECT_FALSE(Record.Timing[2].SamplesUs.empty());
}

TEST_F(RunnerTest, ACompiledBaselineThatNobodyMadeIsNotMeasured) {
  RunRequest Request = fakeRequest("good");
  Request.Baselines = {*parseBaseline("compiled"), *parseBaseline("eager")};
  RunRecord Record = run(Request);
  ASSERT_EQ(Record.Timing.size(), 3u);
  ASSERT_TRUE(Record.Timing[1].NotMeasured.has_value());
  EXPECT_EQ(Record.Timing[1].NotMeasured->Code, "baseline-not-made");
  EXPECT_NE(Record.Timing[1].NotMeasured->Text.find("cupel baseline"), std::string::npos);
  EXPECT_FALSE(Record.Timing[2].SamplesUs.empty());
}

class PeaksTest : public FakeRun {
protected:
  /// Runs a problem with a cost against each judge in turn, with one cache.
  std::vector<RunRecord> runAll(const std::vector<std::string> &Sources) {
    const std::string Cache = (Folder.path() + "/cache").str();
    ::setenv("CUPEL_CACHE_DIR", Cache.c_str(), 1);
    std::vector<RunRecord> Records;
    for (const std::string &Source : Sources) {
      RunRequest Request = fakeRequest("good", Source);
      Request.Problem.Bytes = ShapeExpr(1000);
      Request.Profile = ProfileLevel::None;
      if (Source == "peaks:hang")
        Request.Workers.Limits.CallSeconds = 1;
      Records.push_back(run(Request));
    }
    ::unsetenv("CUPEL_CACHE_DIR");
    std::filesystem::remove_all(Cache);
    return Records;
  }
};

TEST_F(PeaksTest, AreMeasuredOnce) {
  // What was not measured is not kept. The third judge could not measure, and is not asked to.
  std::vector<RunRecord> Records = runAll({"no-peaks", "good", "peaks-fail"});
  ASSERT_TRUE(Records[0].Peaks && Records[0].Peaks->NotMeasured);
  EXPECT_EQ(Records[0].Peaks->NotMeasured->Code, "no-cuda-device");
  for (size_t I : {1, 2}) {
    ASSERT_TRUE(Records[I].Peaks && !Records[I].Peaks->NotMeasured);
    EXPECT_EQ(Records[I].Peaks->DramGbPerS.at("read"), 4800);
  }
}

TEST_F(PeaksTest, ThatFailChangeNothingElse) {
  for (const RunRecord &Record :
       runAll({"peaks-fail", "peaks:segv", "peaks:hang", "peaks:not-json"})) {
    EXPECT_EQ(Record.Correctness.State, CheckState::Passed);
    EXPECT_TRUE(Record.Reasons.empty());
    ASSERT_EQ(Record.Timing.size(), 2u);
    EXPECT_FALSE(Record.Timing[1].SamplesUs.empty());
    ASSERT_TRUE(Record.Peaks && Record.Peaks->NotMeasured);
    EXPECT_EQ(Record.Peaks->NotMeasured->Code, "peaks-failed");
    EXPECT_FALSE(Record.Peaks->NotMeasured->Text.empty());
  }
}

TEST_F(PeaksTest, WithoutACostNobodyAsks) { EXPECT_FALSE(run(fakeRequest("good")).Peaks); }

TEST_F(RunnerTest, TheRunsOwnLimitIsNamed) {
  RunRequest Request = fakeRequest("hang");
  Request.TimeoutSeconds = 3;
  Request.Workers.Limits.CallSeconds = 30;
  RunRecord Record = run(Request);
  EXPECT_EQ(Record.Correctness.State, CheckState::Failed);
  EXPECT_EQ(Record.Correctness.Cases[0].Reasons[0].Code, "timed-out");
  EXPECT_EQ(Record.Correctness.Cases[1].State, CheckState::NotMeasured);
  EXPECT_EQ(Record.Correctness.Cases[1].Reasons[0].Text, "the run's limit of 3.00 s is over");
}

TEST_F(RunnerTest, CpuTimesAreNotMeasured) {
  RunRequest Request = fakeRequest("wrong-device"); // The fake's CPU tensors.
  Request.Workers.Device = DeviceChoice::Cpu;
  RunRecord Record = run(Request);
  EXPECT_EQ(Record.Device, "cpu");
  EXPECT_EQ(Record.Correctness.State, CheckState::Passed);
  EXPECT_EQ(Record.TimingNotMeasured->Code, "no-cuda-device");
}

} // namespace
