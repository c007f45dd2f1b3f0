//===- ProblemCheck.h - whether a problem can tell right from wrong ---------===//
#ifndef CUPEL_PROBLEM_PROBLEMCHECK_H
#define CUPEL_PROBLEM_PROBLEMCHECK_H

#include "cupel/Problem/ProblemSpec.h"
#include "cupel/Problem/ReferenceReport.h"
#include <functional>

namespace cupel {

/// Runs the reference of a problem on one case, in a worker process.
using ReferenceRunner =
    std::function<llvm::Expected<ReferenceReport>(const ProblemSpec &, const CaseSpec &)>;

struct CheckedCase {
  std::string Name;
  ReferenceReport Report;
};

/// What the runs of a problem's check cases show together.
struct ProblemJudgement {
  std::vector<CheckedCase> Cases;
  /// The problem is no good: `not-finite`, `not-repeatable`, `too-inexact`.
  std::vector<Reason> Failures;
  /// It works, but something should be looked at: `mutation-survives`, `independent`, `inexact`.
  std::vector<Reason> Warnings;
  /// Why a case, or all, did not run.
  std::vector<Reason> NotRun;
  /// Outputs that are wrong on purpose. One counts as refused when any case refuses it, since a
  /// submission has to pass them all.
  unsigned Mutations = 0, RefusedMutations = 0;
  /// Largest part of the allowed error that the reference itself needs, 0 to 1.
  std::optional<double> ErrorShare;
};

/// Runs the cases of \p Problem with the role `check` for which \p WantsCase is true (null: all),
/// the small ones first, and judges the reports.
ProblemJudgement checkProblem(const ProblemSpec &Problem, const ReferenceRunner &Run,
                              const std::function<bool(const CaseSpec &)> &WantsCase = nullptr);

llvm::json::Value toJson(const ProblemJudgement &Judgement);

} // namespace cupel

#endif // CUPEL_PROBLEM_PROBLEMCHECK_H
