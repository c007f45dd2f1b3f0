//===- Finding.h - one diagnostic of the linter -----------------------------===//
#ifndef CUPEL_CHECKS_FINDING_H
#define CUPEL_CHECKS_FINDING_H

#include "cupel/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace cupel {

/// Error: a compiler error, shown with the findings; it is never a check's.
enum class Level { Note, Warn, Reject, Error };
llvm::StringRef toString(Level L);
llvm::Expected<Level> parseLevel(llvm::StringRef Text);

struct FindingNote {
  SourcePlace Place;
  std::string Message;
};

struct Finding {
  std::string Id; ///< Check id: `fallback-aten-call`.
  Level Severity = Level::Note;
  SourcePlace Place; ///< Physical place in the submission.
  std::string Message;
  std::vector<FindingNote> Notes;
};

llvm::json::Value toJson(const Finding &F);
llvm::Expected<Finding> findingFromJson(const llvm::json::Value &Value);

} // namespace cupel

#endif // CUPEL_CHECKS_FINDING_H
