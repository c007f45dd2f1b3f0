//===- ProblemCheck.h - whether a problem can tell right from wrong ---------===//
#ifndef CUPEL_PROBLEM_PROBLEMCHECK_H
#define CUPEL_PROBLEM_PROBLEMCHECK_H

#include "cupel/Problem/ProblemNotes.h"
#include "cupel/Problem/ProblemSpec.h"
#include "cupel/Problem/ReferenceReport.h"
#include "cupel/Support/PlacedReason.h"
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
  /// The problem is no good. Codes: docs/problem-format.md.
  std::vector<Reason> Failures;
  /// It works, but something should be looked at.
  std::vector<Reason> Warnings;
  /// Why a case, or all, did not run.
  std::vector<PlacedReason> NotRun;
  /// Outputs that are wrong on purpose, each once: refused when any case refuses it, since a
  /// submission has to pass them all, else accepted when any case accepts it.
  std::vector<MutationResult> Mutations;

  unsigned refusedMutations() const;
  /// Those that mean something: refused or not.
  unsigned countedMutations() const;
  /// Largest part of the allowed error that the reference itself needs, 0 to 1.
  std::optional<double> ErrorShare;
};

/// Runs the cases of \p Problem with the role `check` for which \p WantsCase is true (null: all),
/// the small ones first, and judges the reports against what \p Notes say.
ProblemJudgement checkProblem(const ProblemSpec &Problem, const ProblemNotes &Notes,
                              const ReferenceRunner &Run,
                              const std::function<bool(const CaseSpec &)> &WantsCase = nullptr);

llvm::json::Value toJson(const ProblemJudgement &Judgement);
/// {`code`, `text`, `file`, `line`, `column`}, the place null where there is none.
llvm::json::Value toJson(const PlacedReason &Why);

/// `zeros`, or `zeros of output 1` when the problem has \p Outputs, more than one.
std::string mutationName(const MutationResult &Mutation, size_t Outputs);

} // namespace cupel

#endif // CUPEL_PROBLEM_PROBLEMCHECK_H
