//===- ReferenceCheckerTest.cpp ----------------------------------------------===//

#include "cupel/Runner/ReferenceChecker.h"
#include "FakeRun.h"
#include <cmath>

using namespace cupel;

namespace {

using ReferenceCheckerTest = FakeRun;

std::string errorCode(llvm::Expected<ReferenceReport> Report) {
  return Report ? "no error" : takeReasons(Report.takeError()).front().Code;
}

TEST_F(ReferenceCheckerTest, ReadsTheReport) {
  ProblemSpec Problem = fakeProblem();
  ReferenceChecker Checker(fakeRequest("").Workers);
  llvm::Expected<ReferenceReport> Report = Checker.check(Problem, Problem.Cases[1]);
  ASSERT_TRUE(static_cast<bool>(Report)) << llvm::toString(Report.takeError());
  EXPECT_EQ(Checker.device(), "Fake GPU");
  EXPECT_EQ(Report->Shapes, (std::vector<std::vector<int64_t>>{{2, 3}}));
  EXPECT_EQ(Report->DTypes, std::vector<std::string>{"float32"});
  EXPECT_EQ(Report->NotFinite, std::vector<int64_t>{0});
  EXPECT_TRUE(Report->RepeatEqual && Report->WithinTolerance);
  EXPECT_EQ(Report->Depends, std::vector<std::string>{"x"});
  EXPECT_TRUE(std::isinf(*Report->AllowedError));
  ASSERT_EQ(Report->Mutations.size(), 2u);
  EXPECT_EQ(Report->Mutations[0].State, MutationState::Refused);
  EXPECT_EQ(Report->Mutations[1].State, MutationState::Accepted);
  EXPECT_EQ(Report->Mutations[1].Reason, "within the tolerance");
}

TEST_F(ReferenceCheckerTest, OneJudgeForManyProblems) {
  ReferenceChecker Checker(fakeRequest("").Workers);
  for (int I = 0; I != 3; ++I) {
    ProblemSpec Problem = fakeProblem();
    Problem.Id = "test/" + std::to_string(I);
    for (const CaseSpec &Case : Problem.Cases)
      EXPECT_EQ(errorCode(Checker.check(Problem, Case)), "no error");
    EXPECT_TRUE(becomesFakeProcesses(1));
  }
}

TEST_F(ReferenceCheckerTest, AFailureDoesNotSpoilTheNext) {
  ReferenceChecker Checker(fakeRequest("").Workers, /*TimeoutSeconds=*/5);
  ProblemSpec Good = fakeProblem();
  for (auto [Source, Code] : {std::pair{"judge:segv", "reference-crashed"},
                              std::pair{"judge:hang", "reference-timed-out"},
                              std::pair{"judge:exit0", "reference-crashed"},
                              std::pair{"judge:incomplete", "judge-protocol"},
                              std::pair{"broken-reference", "reference-error"}}) {
    ProblemSpec Bad = fakeProblem(Source);
    EXPECT_EQ(errorCode(Checker.check(Bad, Bad.Cases[0])), Code) << Source;
    EXPECT_EQ(errorCode(Checker.check(Good, Good.Cases[0])), "no error") << Source;
  }
}

TEST_F(ReferenceCheckerTest, AMistakeIsToldAtItsLineOfTheFile) {
  ReferenceChecker Checker(fakeRequest("").Workers);
  ProblemSpec Bad = fakeProblem("broken-reference\n  return relo(x)\n");
  Bad.ReferencePlace = {"p.toml", 8, 1};
  llvm::Expected<ReferenceReport> Report = Checker.check(Bad, Bad.Cases[0]);
  ASSERT_FALSE(static_cast<bool>(Report));
  EXPECT_EQ(llvm::toString(Report.takeError()),
            "p.toml:9:3: error: reference.source: unknown name 'relo'\n     details\n"
            "      return relo(x)\n      ^");
  // In a string on one line every line has the place of the string.
  Bad.ReferencePlace = {"p.toml", 8, 0};
  Report = Checker.check(Bad, Bad.Cases[0]);
  ASSERT_FALSE(static_cast<bool>(Report));
  EXPECT_EQ(llvm::StringRef(llvm::toString(Report.takeError())).split("\n").first,
            "p.toml:8: error: reference.source: unknown name 'relo'");
}

TEST_F(ReferenceCheckerTest, EstimatesMemory) {
  ReferenceChecker Checker(fakeRequest("").Workers);
  ProblemSpec Problem = fakeProblem(), Without = fakeProblem("no-estimate");
  llvm::Expected<MemoryEstimate> Estimate = Checker.estimateMemory(Problem, Problem.Cases[0]);
  ASSERT_TRUE(static_cast<bool>(Estimate)) << llvm::toString(Estimate.takeError());
  EXPECT_EQ(Estimate->PeakBytes, 4096);
  Estimate = Checker.estimateMemory(Without, Without.Cases[0]);
  ASSERT_TRUE(static_cast<bool>(Estimate)) << llvm::toString(Estimate.takeError());
  EXPECT_FALSE(Estimate->PeakBytes.has_value());
  EXPECT_EQ(Estimate->Reason, "it needs values");
}

TEST_F(ReferenceCheckerTest, WithoutAGpuTheCpuChecks) {
  std::string Link = (Folder.path() + "/no-cuda").str();
  std::filesystem::create_symlink(CUPEL_FAKE_WORKER, Link);
  WorkerOptions Workers = fakeRequest("").Workers;
  Workers.Worker = Link;
  ProblemSpec Problem = fakeProblem();
  {
    ReferenceChecker Checker(Workers);
    EXPECT_EQ(errorCode(Checker.check(Problem, Problem.Cases[0])), "no error");
    EXPECT_EQ(Checker.device(), "cpu");
    Workers.Device = DeviceChoice::Cuda;
    ReferenceChecker OnlyCuda(Workers);
    EXPECT_EQ(errorCode(OnlyCuda.check(Problem, Problem.Cases[0])), "device-unavailable");
  }
  std::filesystem::remove(Link);
}

TEST_F(ReferenceCheckerTest, TheWorkerMustBeThere) {
  WorkerOptions Workers;
  Workers.Worker = "";
  ProblemSpec Problem = fakeProblem();
  EXPECT_EQ(errorCode(ReferenceChecker(Workers).check(Problem, Problem.Cases[0])),
            "worker-missing");
}

} // namespace
