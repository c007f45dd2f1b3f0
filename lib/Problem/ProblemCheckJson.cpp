//===- ProblemCheckJson.cpp - a problem's judgement as JSON -----------------===//

#include "cupel/Problem/ProblemCheck.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static Value reasonsToJson(const std::vector<Reason> &Reasons) {
  Array Result;
  for (const Reason &Why : Reasons)
    Result.push_back(Object{{"code", Why.Code}, {"text", Why.Text}});
  return Result;
}

static llvm::StringRef toString(MutationState State) {
  switch (State) {
  case MutationState::Refused:
    return "refused";
  case MutationState::Accepted:
    return "accepted";
  case MutationState::Equal:
    return "equal";
  case MutationState::NotApplicable:
    return "not_applicable";
  }
  llvm_unreachable("unknown MutationState");
}

static Value mutationsToJson(const std::vector<MutationResult> &Mutations) {
  Array Result;
  for (const MutationResult &Mutation : Mutations)
    Result.push_back(Object{{"name", Mutation.Name},
                            {"output", int64_t(Mutation.Output)},
                            {"state", toString(Mutation.State)},
                            {"refused", Mutation.State == MutationState::Refused},
                            {"reason", Mutation.Reason}});
  return Result;
}

static Value caseToJson(const CheckedCase &Case) {
  const ReferenceReport &Report = Case.Report;
  Array Shapes, Fixed;
  for (const std::vector<int64_t> &Shape : Report.Shapes)
    Shapes.push_back(Array(Shape));
  for (size_t Output : Report.FixedOutputs)
    Fixed.push_back(int64_t(Output));
  return Object{{"name", Case.Name},
                {"shapes", std::move(Shapes)},
                {"dtypes", Array(Report.DTypes)},
                {"finite", llvm::all_of(Report.NotFinite, [](int64_t N) { return N == 0; })},
                {"not_finite", Array(Report.NotFinite)},
                {"repeat_equal", Report.RepeatEqual},
                {"inputs_changed", Array(Report.InputsChanged)},
                {"depends", Array(Report.Depends)},
                {"negligible", Array(Report.Negligible)},
                {"independent", Array(Report.Independent)},
                {"fixed_outputs", std::move(Fixed)},
                {"named_dtypes", Array(Report.NamedDTypes)},
                {"max_error", Report.MaxError},
                {"allowed_error", Report.AllowedError},
                {"within_tolerance", Report.WithinTolerance},
                {"reference_precision", Report.ReferencePrecision},
                {"mutations", mutationsToJson(Report.Mutations)}};
}

Value cupel::toJson(const PlacedReason &Why) {
  Object Result{{"code", Why.Code},
                {"text", Why.Text},
                {"file", nullptr},
                {"line", nullptr},
                {"column", nullptr}};
  if (!Why.Place.File.empty())
    Result["file"] = Why.Place.File;
  if (Why.Place.Line != 0)
    Result["line"] = int64_t(Why.Place.Line);
  if (Why.Place.Column != 0)
    Result["column"] = int64_t(Why.Place.Column);
  return Result;
}

Value cupel::toJson(const ProblemJudgement &Judgement) {
  Array Cases, NotRun;
  for (const CheckedCase &Case : Judgement.Cases)
    Cases.push_back(caseToJson(Case));
  for (const PlacedReason &Why : Judgement.NotRun)
    NotRun.push_back(toJson(Why));
  llvm::StringRef State = !Judgement.NotRun.empty()     ? "not_run"
                          : !Judgement.Failures.empty() ? "failed"
                                                        : "passed";
  return Object{{"state", State},
                {"not_run", std::move(NotRun)},
                {"failures", reasonsToJson(Judgement.Failures)},
                {"warnings", reasonsToJson(Judgement.Warnings)},
                {"mutations", Judgement.countedMutations()},
                {"refused_mutations", Judgement.refusedMutations()},
                {"wrong_outputs", mutationsToJson(Judgement.Mutations)},
                {"error_share", Judgement.ErrorShare},
                {"cases", std::move(Cases)}};
}
