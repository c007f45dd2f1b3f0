//===- EvalRecord.h - all that `cupel eval` found out -----------------------===//
#ifndef CUPEL_REPORT_EVALRECORD_H
#define CUPEL_REPORT_EVALRECORD_H

#include "cupel/Build/BuildRecord.h"
#include "cupel/Checks/LintRecord.h"
#include "cupel/Problem/ProblemSpec.h"
#include "cupel/Profile/ProfileRecord.h"
#include "cupel/Profile/Roofline.h"
#include "cupel/Runner/RunRecord.h"

namespace cupel {

/// A verdict and why. For `accepted` the reasons are remarks.
struct Judgement {
  Verdict Outcome = Verdict::CouldNotJudge;
  std::vector<Reason> Reasons;
};

/// The records of the phases that ran, and the verdict over them (design section 11). A phase that
/// did not run is absent.
struct EvalRecord {
  std::string Problem;        ///< `level1/relu`, or a path.
  std::string Submission;     ///< As given.
  std::string SubmissionHash; ///< contentHash of its bytes.
  std::string ProblemHash;    ///< contentHash of the problem file.
  PolicySpec Policy;          ///< The problem's, with the command line's preset.
  std::optional<LintRecord> Lint;
  std::optional<BuildRecord> Build;
  std::optional<RunRecord> Run;
  std::optional<TimingRecord> Timing;     ///< The profile phase: what the samples of Run say.
  std::optional<RooflineRecord> Roofline; ///< Of the profile phase; absent when nothing was timed.
  /// Why a phase gave no record; the verdict is then `could_not_judge`.
  std::vector<Reason> Failures;
  /// The phase after which the user stopped: `lint`, `build`, `run` or `profile`; else empty.
  std::string StoppedAfter;
  Judgement Result;
};

} // namespace cupel

#endif // CUPEL_REPORT_EVALRECORD_H
