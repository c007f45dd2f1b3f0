//===- ProblemCheck.cpp - whether a problem can tell right from wrong -------===//

#include "cupel/Problem/ProblemCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace cupel;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

/// A reference that needs more than this part of the allowed error leaves too little for others.
constexpr double WideErrorShare = 0.25;

std::string print(double Number) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.2g", Number);
  return Text;
}

void judgeCase(const CheckedCase &Case, ProblemJudgement &Judgement) {
  const ReferenceReport &Report = Case.Report;
  std::string In = "case '" + Case.Name + "': ";
  if (!Report.Finite)
    Judgement.Failures.push_back({"not-finite", In + "the output has NaN or infinite values"});
  if (!Report.RepeatEqual)
    Judgement.Failures.push_back({"not-repeatable", In + "two runs on equal inputs differ"});
  if (!Report.MaxError || !Report.AllowedError || *Report.AllowedError <= 0)
    return;
  double Share = *Report.MaxError / *Report.AllowedError;
  Judgement.ErrorShare = std::max(Judgement.ErrorShare.value_or(0), Share);
  std::string Errors = In + "the reference's own error against fp64, " + print(*Report.MaxError) +
                       ", is " + print(Share) + " of what is allowed";
  if (Share > 1)
    Judgement.Failures.push_back({"too-inexact", Errors});
  else if (Share > WideErrorShare)
    Judgement.Warnings.push_back({"inexact", Errors});
}

/// A mutation survives when no case refuses it; the last case says why.
void judgeMutations(ProblemJudgement &Judgement) {
  std::map<std::string, const MutationResult *> Survivors;
  std::set<std::string> Refused;
  for (const CheckedCase &Case : Judgement.Cases)
    for (const MutationResult &Mutation : Case.Report.Mutations)
      if (Mutation.Refused)
        Refused.insert(Mutation.Name);
      else
        Survivors[Mutation.Name] = &Mutation;
  for (const std::string &Name : Refused)
    Survivors.erase(Name);
  Judgement.RefusedMutations = Refused.size();
  Judgement.Mutations = Refused.size() + Survivors.size();
  for (const auto &[Name, Mutation] : Survivors)
    Judgement.Warnings.push_back(
        {"mutation-survives", "the wrong output '" + Name + "' is accepted: " + Mutation->Reason});
}

void judgeDependence(ProblemJudgement &Judgement) {
  std::set<std::string> Depends;
  std::vector<std::string> Independent;
  for (const CheckedCase &Case : Judgement.Cases)
    Depends.insert(Case.Report.Depends.begin(), Case.Report.Depends.end());
  for (const CheckedCase &Case : Judgement.Cases)
    for (const std::string &Name : Case.Report.Independent)
      if (!Depends.count(Name) && !llvm::is_contained(Independent, Name))
        Independent.push_back(Name);
  for (const std::string &Name : Independent)
    Judgement.Warnings.push_back(
        {"independent", "the output is the same whatever the values of '" + Name + "' are"});
}

} // namespace

ProblemJudgement cupel::checkProblem(const ProblemSpec &Problem, const ReferenceRunner &Run,
                                     const std::function<bool(const CaseSpec &)> &WantsCase) {
  std::vector<const CaseSpec *> Cases;
  for (const CaseSpec &Case : Problem.Cases)
    if (Case.IsCheck)
      Cases.push_back(&Case);
  llvm::stable_sort(Cases, [&](const CaseSpec *A, const CaseSpec *B) {
    return tensorBytes(Problem, *A) < tensorBytes(Problem, *B);
  });
  ProblemJudgement Judgement;
  for (const CaseSpec *Case : Cases) {
    // Asked late: what can run may be known only after the first case did.
    if (WantsCase && !WantsCase(*Case))
      continue;
    llvm::Expected<ReferenceReport> Report = Run(Problem, *Case);
    if (!Report) {
      llvm::append_range(Judgement.NotRun, takeReasons(Report.takeError()));
      break;
    }
    Judgement.Cases.push_back({Case->Name, std::move(*Report)});
    judgeCase(Judgement.Cases.back(), Judgement);
  }
  if (Judgement.Cases.empty() && Judgement.NotRun.empty())
    Judgement.NotRun.push_back(
        {"no-small-case", "no check case without the role 'benchmark', and no CUDA device"});
  judgeMutations(Judgement);
  judgeDependence(Judgement);
  return Judgement;
}

static Value reasonsToJson(const std::vector<Reason> &Reasons) {
  Array Result;
  for (const Reason &Why : Reasons)
    Result.push_back(Object{{"code", Why.Code}, {"text", Why.Text}});
  return Result;
}

static Value caseToJson(const CheckedCase &Case) {
  const ReferenceReport &Report = Case.Report;
  Array Shapes, Mutations;
  for (const std::vector<int64_t> &Shape : Report.Shapes)
    Shapes.push_back(Array(Shape));
  for (const MutationResult &Mutation : Report.Mutations)
    Mutations.push_back(Object{
        {"name", Mutation.Name}, {"refused", Mutation.Refused}, {"reason", Mutation.Reason}});
  return Object{{"name", Case.Name},
                {"shapes", std::move(Shapes)},
                {"dtypes", Array(Report.DTypes)},
                {"finite", Report.Finite},
                {"repeat_equal", Report.RepeatEqual},
                {"depends", Array(Report.Depends)},
                {"independent", Array(Report.Independent)},
                {"max_error", Report.MaxError},
                {"allowed_error", Report.AllowedError},
                {"reference_precision", Report.ReferencePrecision},
                {"mutations", std::move(Mutations)}};
}

Value cupel::toJson(const ProblemJudgement &Judgement) {
  Array Cases;
  for (const CheckedCase &Case : Judgement.Cases)
    Cases.push_back(caseToJson(Case));
  llvm::StringRef State = !Judgement.NotRun.empty()     ? "not_run"
                          : !Judgement.Failures.empty() ? "failed"
                                                        : "passed";
  return Object{{"state", State},
                {"not_run", reasonsToJson(Judgement.NotRun)},
                {"failures", reasonsToJson(Judgement.Failures)},
                {"warnings", reasonsToJson(Judgement.Warnings)},
                {"mutations", Judgement.Mutations},
                {"refused_mutations", Judgement.RefusedMutations},
                {"error_share", Judgement.ErrorShare},
                {"cases", std::move(Cases)}};
}
