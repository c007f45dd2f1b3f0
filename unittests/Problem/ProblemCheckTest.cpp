//===- ProblemCheckTest.cpp - a problem judged by its reference's reports ---===//

#include "cupel/Problem/ProblemCheck.h"
#include "ProblemText.h"
#include "cupel/Problem/ProblemReader.h"
#include <cmath>

using namespace cupel;

namespace {

ReferenceReport goodReport() {
  ReferenceReport Report;
  Report.Shapes = {{3, 14}};
  Report.DTypes = {"float32"};
  Report.NotFinite = {0};
  Report.RepeatEqual = true;
  Report.ReferencePrecision = "float64";
  Report.Depends = {"x", "s", "weight"};
  Report.MaxError = 1e-7;
  Report.AllowedError = 1e-5;
  Report.Mutations = {{"zeros", 0, MutationState::Refused, "wrong-values: all"},
                      {"half", 0, MutationState::Refused, "wrong-values: one"},
                      {"input_copy", 0, MutationState::NotApplicable, "no input is like it"}};
  return Report;
}

/// The judgement when the smaller case, `ragged`, gives \p Ragged, and the other one \p Benchmark.
ProblemJudgement judge(ReferenceReport Ragged, ReferenceReport Benchmark,
                       const ProblemNotes &Notes = {}) {
  ProblemSpec Problem = llvm::cantFail(parseProblem(ValidProblem, "p.toml"));
  return checkProblem(Problem, Notes, [&](const ProblemSpec &, const CaseSpec &Case) {
    return llvm::Expected<ReferenceReport>(Case.Name == "ragged" ? Ragged : Benchmark);
  });
}

template <typename Reasons> std::string codes(const Reasons &All) {
  std::string Text;
  for (const auto &Why : All)
    Text += Why.Code + " ";
  return Text;
}

TEST(ProblemCheck, AGoodProblem) {
  ProblemJudgement Judgement = judge(goodReport(), goodReport());
  EXPECT_EQ(codes(Judgement.Failures) + codes(Judgement.Warnings) + codes(Judgement.NotRun), "");
  ASSERT_EQ(Judgement.Cases.size(), 2u);
  EXPECT_EQ(Judgement.Cases[0].Name, "ragged") << "the smallest first";
  EXPECT_EQ(Judgement.countedMutations(), 2u);
  EXPECT_EQ(Judgement.refusedMutations(), 2u);
  ASSERT_EQ(Judgement.Mutations.size(), 3u) << "what does not apply is listed";
  EXPECT_EQ(Judgement.Mutations[2].State, MutationState::NotApplicable);
  EXPECT_DOUBLE_EQ(*Judgement.ErrorShare, 0.01);
}

TEST(ProblemCheck, OneCaseThatRefusesAMutationIsEnough) {
  ReferenceReport Lenient = goodReport();
  Lenient.Mutations[1] = {"half", 0, MutationState::Accepted,
                          "every element is within what is allowed"};
  EXPECT_EQ(codes(judge(Lenient, goodReport()).Warnings), "");
  ProblemJudgement Judgement = judge(Lenient, Lenient);
  EXPECT_EQ(codes(Judgement.Warnings), "mutation-survives ");
  EXPECT_EQ(Judgement.Warnings[0].Text,
            "the wrong output 'half' is accepted: every element is within what is allowed");
  EXPECT_EQ(Judgement.refusedMutations(), 1u);
  EXPECT_EQ(Judgement.countedMutations(), 2u);
}

TEST(ProblemCheck, AWrongOutputThatIsTheRightOneSurvives) {
  ReferenceReport Zero = goodReport();
  Zero.Mutations[0] = {"zeros", 0, MutationState::Equal, "it is the right output"};
  EXPECT_EQ(codes(judge(Zero, goodReport()).Warnings), "") << "the other case refuses it";
  EXPECT_EQ(codes(judge(Zero, Zero).Warnings), "mutation-survives ");
  EXPECT_EQ(judge(Zero, Zero).refusedMutations(), 1u);
}

TEST(ProblemCheck, SomethingMustBeRefused) {
  ReferenceReport Any = goodReport();
  Any.Mutations[0] = {"zeros", 0, MutationState::Equal, "it is the right output"};
  Any.Mutations[1] = {"half", 0, MutationState::Accepted, "too lenient"};
  EXPECT_EQ(codes(judge(Any, goodReport()).Failures), "");
  EXPECT_EQ(codes(judge(Any, Any).Failures), "nothing-refused ");
}

TEST(ProblemCheck, EachOutputHasItsMutations) {
  ReferenceReport Two = goodReport();
  Two.Shapes = {{3, 14}, {3}};
  Two.DTypes = {"float32", "int64"};
  Two.NotFinite = {0, 0};
  Two.Mutations.push_back({"zeros", 1, MutationState::Accepted, "too lenient"});
  ProblemJudgement Judgement = judge(Two, Two);
  ASSERT_EQ(codes(Judgement.Warnings), "mutation-survives ");
  EXPECT_EQ(Judgement.Warnings[0].Text,
            "the wrong output 'zeros of output 1' is accepted: too lenient");
}

TEST(ProblemCheck, IndependentOnlyWhenNoCaseDepends) {
  ReferenceReport Without = goodReport();
  Without.Depends = {"x", "s"};
  Without.Independent = {"weight"};
  EXPECT_EQ(codes(judge(Without, goodReport()).Failures), "");
  EXPECT_EQ(codes(judge(Without, Without).Failures), "independent ");
  EXPECT_EQ(codes(judge(Without, Without, {{"weight"}}).Failures), "");
  ReferenceReport Hardly = Without;
  std::swap(Hardly.Independent, Hardly.Negligible);
  EXPECT_EQ(codes(judge(Hardly, Without).Warnings), "negligible ");
  EXPECT_EQ(codes(judge(Hardly, Hardly, {{"weight"}}).Warnings), "");
  EXPECT_EQ(codes(judge(goodReport(), goodReport(), {{"weight"}}).Failures), "has-effect ");
}

TEST(ProblemCheck, AnOutputThatNothingChanges) {
  ReferenceReport Fixed = goodReport();
  Fixed.Depends = {};
  Fixed.Independent = {"x", "s", "weight"};
  Fixed.FixedOutputs = {0};
  EXPECT_EQ(codes(judge(Fixed, goodReport()).Failures), "");
  EXPECT_EQ(codes(judge(Fixed, Fixed).Failures), "fixed-output ") << "not one for each input too";
  ReferenceReport Second = goodReport();
  Second.Shapes = {{3}, {3}};
  Second.DTypes = {"float32", "float32"};
  Second.NotFinite = {0, 0};
  Second.FixedOutputs = {1};
  ProblemJudgement Judgement = judge(Second, Second);
  ASSERT_EQ(codes(Judgement.Failures), "fixed-output ");
  EXPECT_EQ(Judgement.Failures[0].Text.substr(0, 8), "output 1");
}

TEST(ProblemCheck, DTypesOfOutputs) {
  ReferenceReport Report = goodReport();
  Report.DTypes = {"int64"};
  EXPECT_EQ(codes(judge(Report, Report).Failures), "") << "only real ones can be too wide";
  Report.DTypes = {"float64"};
  EXPECT_EQ(codes(judge(Report, Report).Failures), "output-dtype ");
  Report = goodReport();
  Report.NamedDTypes = {"aten::to gives float16"};
  EXPECT_EQ(codes(judge(goodReport(), Report).Failures), "names-dtype ");
}

TEST(ProblemCheck, Failures) {
  ReferenceReport Bad = goodReport();
  Bad.NotFinite = {7};
  ProblemJudgement NotFinite = judge(Bad, goodReport());
  EXPECT_EQ(codes(NotFinite.Failures), "not-finite ");
  EXPECT_NE(NotFinite.Failures[0].Text.find("7 of 42"), std::string::npos);
  Bad = goodReport();
  Bad.InputsChanged = {"x"};
  Bad.RepeatEqual = false;
  EXPECT_EQ(codes(judge(Bad, goodReport()).Failures), "writes-input ")
      << "why two runs differ is known then";
  Bad = goodReport();
  Bad.WithinTolerance = false;
  EXPECT_EQ(codes(judge(Bad, goodReport()).Failures), "too-inexact ");
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
  Bad = goodReport();
  Bad.MaxError = Bad.AllowedError = HUGE_VAL;
  Bad.ReferencePrecision = "float32";
  Judgement = judge(Bad, Bad);
  EXPECT_EQ(codes(Judgement.Warnings), "not-in-fp64 not-in-fp64 ");
  EXPECT_FALSE(Judgement.ErrorShare.has_value()) << "infinity is no share";
}

TEST(ProblemCheck, AnErrorOfTheWorkerEndsTheRun) {
  ProblemSpec Problem = llvm::cantFail(parseProblem(ValidProblem, "p.toml"));
  unsigned Runs = 0;
  ProblemJudgement Judgement =
      checkProblem(Problem, {}, [&](const ProblemSpec &, const CaseSpec &) {
        ++Runs;
        return llvm::Expected<ReferenceReport>(makeError("worker-missing", "no worker"));
      });
  EXPECT_EQ(Runs, 1u);
  EXPECT_EQ(codes(Judgement.NotRun), "worker-missing ");
  EXPECT_EQ(Judgement.countedMutations(), 0u);
}

TEST(ProblemCheck, CasesThatAreNotWantedAreLeftOut) {
  ProblemSpec Problem = llvm::cantFail(parseProblem(ValidProblem, "p.toml"));
  auto Good = [](const ProblemSpec &, const CaseSpec &) {
    return llvm::Expected<ReferenceReport>(goodReport());
  };
  auto NoBenchmark = [](const CaseSpec &Case) { return !Case.IsBenchmark; };
  EXPECT_EQ(checkProblem(Problem, {}, Good, NoBenchmark).Cases.size(), 1u);
  auto None = [](const CaseSpec &) { return false; };
  EXPECT_EQ(codes(checkProblem(Problem, {}, Good, None).NotRun), "no-small-case ");
}

} // namespace
