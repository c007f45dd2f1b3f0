//===- ProblemCheckTest.cpp - a problem judged by its reference's reports ---===//

#include "cupel/Problem/ProblemCheck.h"
#include "ProblemText.h"
#include "cupel/Problem/ProblemReader.h"

using namespace cupel;

namespace {

ReferenceReport goodReport() {
  ReferenceReport Report;
  Report.Shapes = {{3, 14}};
  Report.DTypes = {"float32"};
  Report.Finite = Report.RepeatEqual = true;
  Report.Depends = {"x", "s", "weight"};
  Report.MaxError = 1e-7;
  Report.AllowedError = 1e-5;
  Report.Mutations = {{"zeros", true, "wrong-values: all"}, {"half", true, "wrong-values: one"}};
  return Report;
}

/// The judgement when the smaller case, `ragged`, gives \p Ragged, and the other one \p Benchmark.
ProblemJudgement judge(ReferenceReport Ragged, ReferenceReport Benchmark) {
  ProblemSpec Problem = llvm::cantFail(parseProblem(ValidProblem, "p.toml"));
  return checkProblem(Problem, [&](const ProblemSpec &, const CaseSpec &Case) {
    return llvm::Expected<ReferenceReport>(Case.Name == "ragged" ? Ragged : Benchmark);
  });
}

std::string codes(const std::vector<Reason> &Reasons) {
  std::string Text;
  for (const Reason &Why : Reasons)
    Text += Why.Code + " ";
  return Text;
}

TEST(ProblemCheck, AGoodProblem) {
  ProblemJudgement Judgement = judge(goodReport(), goodReport());
  EXPECT_EQ(codes(Judgement.Failures) + codes(Judgement.Warnings) + codes(Judgement.NotRun), "");
  ASSERT_EQ(Judgement.Cases.size(), 2u);
  EXPECT_EQ(Judgement.Cases[0].Name, "ragged") << "the smallest first";
  EXPECT_EQ(Judgement.Mutations, 2u);
  EXPECT_EQ(Judgement.RefusedMutations, 2u);
  EXPECT_DOUBLE_EQ(*Judgement.ErrorShare, 0.01);
}

TEST(ProblemCheck, OneCaseThatRefusesAMutationIsEnough) {
  ReferenceReport Lenient = goodReport();
  Lenient.Mutations[1] = {"half", false, "every element is within what is allowed"};
  EXPECT_EQ(codes(judge(Lenient, goodReport()).Warnings), "");
  ProblemJudgement Judgement = judge(Lenient, Lenient);
  EXPECT_EQ(codes(Judgement.Warnings), "mutation-survives ");
  EXPECT_EQ(Judgement.Warnings[0].Text,
            "the wrong output 'half' is accepted: every element is within what is allowed");
  EXPECT_EQ(Judgement.RefusedMutations, 1u);
  EXPECT_EQ(Judgement.Mutations, 2u);
}

TEST(ProblemCheck, IndependentOnlyWhenNoCaseDepends) {
  ReferenceReport Without = goodReport();
  Without.Depends = {"x", "s"};
  Without.Independent = {"weight"};
  EXPECT_EQ(codes(judge(Without, goodReport()).Warnings), "");
  EXPECT_EQ(codes(judge(Without, Without).Warnings), "independent ");
}

TEST(ProblemCheck, Failures) {
  ReferenceReport Bad = goodReport();
  Bad.Finite = false;
  EXPECT_EQ(codes(judge(Bad, goodReport()).Failures), "not-finite ");
  Bad = goodReport();
  Bad.RepeatEqual = false;
  EXPECT_EQ(codes(judge(goodReport(), Bad).Failures), "not-repeatable ");
  Bad = goodReport();
  Bad.MaxError = 2e-5;
  EXPECT_EQ(codes(judge(Bad, goodReport()).Failures), "too-inexact ");
  Bad.MaxError = 0.5e-5;
  ProblemJudgement Judgement = judge(Bad, goodReport());
  EXPECT_EQ(codes(Judgement.Failures), "");
  EXPECT_EQ(codes(Judgement.Warnings), "inexact ");
}

TEST(ProblemCheck, AnErrorOfTheWorkerEndsTheRun) {
  ProblemSpec Problem = llvm::cantFail(parseProblem(ValidProblem, "p.toml"));
  unsigned Runs = 0;
  ProblemJudgement Judgement = checkProblem(Problem, [&](const ProblemSpec &, const CaseSpec &) {
    ++Runs;
    return llvm::Expected<ReferenceReport>(makeError("worker-missing", "no worker"));
  });
  EXPECT_EQ(Runs, 1u);
  EXPECT_EQ(codes(Judgement.NotRun), "worker-missing ");
  EXPECT_EQ(Judgement.Mutations, 0u);
}

TEST(ProblemCheck, CasesThatAreNotWantedAreLeftOut) {
  ProblemSpec Problem = llvm::cantFail(parseProblem(ValidProblem, "p.toml"));
  auto Good = [](const ProblemSpec &, const CaseSpec &) {
    return llvm::Expected<ReferenceReport>(goodReport());
  };
  auto NoBenchmark = [](const CaseSpec &Case) { return !Case.IsBenchmark; };
  EXPECT_EQ(checkProblem(Problem, Good, NoBenchmark).Cases.size(), 1u);
  auto None = [](const CaseSpec &) { return false; };
  EXPECT_EQ(codes(checkProblem(Problem, Good, None).NotRun), "no-small-case ");
}

} // namespace
