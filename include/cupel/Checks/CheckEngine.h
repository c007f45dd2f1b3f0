//===- CheckEngine.h - ParsedSubmission to LintRecord -----------------------===//
#ifndef CUPEL_CHECKS_CHECKENGINE_H
#define CUPEL_CHECKS_CHECKENGINE_H

#include "cupel/Checks/Check.h"
#include "cupel/Checks/LintRecord.h"
#include "cupel/Frontend/PythonSubmission.h"
#include "cupel/Problem/ProblemSpec.h"

namespace cupel {

/// What a submission may leave to others, and who says so (design section 6).
struct LintPolicy {
  std::string Preset = "strict";       ///< `strict` or `partial`.
  std::string Source = "default";      ///< `default`, `problem` or `command line`.
  std::vector<std::string> Libraries;  ///< `cublas`, `cub`, ...: vendor calls that are notes.
  std::vector<std::string> Operators;  ///< `aten::bmm`: torch calls that are notes.
  std::vector<std::string> Suppressed; ///< Check ids or globs that are not run.
};

/// The policy of \p Problem (null: the default), with \p Preset of the command line in its place
/// when there is one. Errors: `unknown-policy`.
llvm::Expected<LintPolicy> makeLintPolicy(const ProblemSpec *Problem,
                                          const std::optional<std::string> &Preset);

struct CheckOptions {
  LintPolicy Policy;
  /// Globs in order, the last that fits decides; a leading `-` switches off. Each may hold several,
  /// separated by commas. None: all checks.
  std::vector<std::string> Globs;
  /// Null when the submission is linted by itself.
  const ProblemSpec *Problem = nullptr;
};

/// Runs the enabled checks over one submission after another. Safe to share between threads.
class CheckEngine {
public:
  /// Errors: `unknown-check`, for a glob that fits no check.
  static llvm::Expected<CheckEngine> create(const CheckRegistry &Registry, CheckOptions Options);

  LintRecord run(const ParsedSubmission &Submission) const;

  /// The same for a `.py` file: \p Parsed holds its extensions in their order, parsed. Findings in
  /// their sources are placed in the `.py` file.
  LintRecord run(const PythonSubmission &Submission, llvm::ArrayRef<ParsedSubmission> Parsed) const;

  /// The checks that run(), in order.
  const std::vector<const Check *> &enabled() const { return Enabled; }

private:
  CheckEngine(CheckOptions Options) : Options(std::move(Options)) {}

  CheckOptions Options;
  std::vector<const Check *> Enabled;
  std::vector<std::string> Disabled; ///< Ids.
};

/// Why \p Glob of a policy's `suppressed` fits no check of \p Registry, with the nearest id; empty
/// when it fits one.
std::string globMistake(const CheckRegistry &Registry, const std::string &Glob);

/// The verdict of a lint: a reject is `rejected`; else a parse problem is `could_not_judge`.
Verdict lintVerdict(const LintRecord &Record);

/// A record for a submission that could not be read or parsed at all.
LintRecord unjudgedRecord(llvm::StringRef File, const LintPolicy &Policy,
                          const std::vector<Reason> &Reasons);

} // namespace cupel

#endif // CUPEL_CHECKS_CHECKENGINE_H
