//===- LintRecord.h - the output of the lint phase --------------------------===//
#ifndef CUPEL_CHECKS_LINTRECORD_H
#define CUPEL_CHECKS_LINTRECORD_H

#include "cupel/Checks/Finding.h"
#include "cupel/Frontend/ParsedSubmission.h"

namespace cupel {

enum class Verdict { Accepted, Rejected, CouldNotJudge };
llvm::StringRef toString(Verdict V);

/// What the linter says of one submission (design section 11).
struct LintRecord {
  std::string File;
  ParseState Parse = ParseState::Failed;
  Verdict Outcome = Verdict::CouldNotJudge;
  std::string Policy;                  ///< `strict` or `partial`: the preset that judged.
  std::string PolicySource;            ///< `default`, `problem` or `command line`.
  std::vector<std::string> Suppressed; ///< Check ids that a policy or the user switched off.
  std::vector<Finding> Findings;       ///< In order of place; compiler errors included.
  std::vector<std::string> Kernels;
  std::vector<EntrySignature> Entries;
  std::optional<EntrySignature> Entry; ///< The one that fits the problem.
  double Seconds = 0;
};

llvm::json::Value toJson(const LintRecord &Record);
llvm::Expected<LintRecord> lintRecordFromJson(const llvm::json::Value &Value);

} // namespace cupel

#endif // CUPEL_CHECKS_LINTRECORD_H
