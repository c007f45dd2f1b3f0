//===- Policy.cpp - from reports to the findings of a record ----------------===//

#include "Policy.h"

namespace cupel {

void applyPolicy(const LintPolicy &Policy, Report &R) {
  auto Contains = [](const std::vector<std::string> &List, const std::string &Name) {
    return !Name.empty() && llvm::is_contained(List, Name);
  };
  Finding &F = R.Result;
  if (F.Severity <= Level::Note)
    return;
  if (Contains(Policy.Libraries, R.Library)) {
    F.Severity = Level::Note;
    F.Message += "; allowed by the problem: library " + R.Library;
  } else if (Contains(Policy.Operators, R.Operator)) {
    F.Severity = Level::Note;
    F.Message += "; allowed by the problem: operator " + R.Operator;
  } else if (Policy.Preset == "partial" && llvm::StringRef(F.Id).starts_with("fallback-")) {
    F.Severity = std::min(F.Severity, Level::Warn);
  }
}

static auto orderOf(const Finding &F) {
  return std::tie(F.Place.File, F.Place.Line, F.Place.Column, F.Id, F.Message);
}

void sortAndUnify(std::vector<Finding> &Findings) {
  llvm::stable_sort(Findings, [](const Finding &A, const Finding &B) {
    return std::tie(A.Place.File, A.Place.Line, A.Place.Column, A.Id, B.Severity) <
           std::tie(B.Place.File, B.Place.Line, B.Place.Column, B.Id, A.Severity);
  });
  auto Last = std::unique(Findings.begin(), Findings.end(), [](const Finding &A, const Finding &B) {
    if (A.Severity == Level::Error || B.Severity == Level::Error)
      return orderOf(A) == orderOf(B) && A.Severity == B.Severity;
    return A.Id == B.Id && A.Place.File == B.Place.File && A.Place.Line == B.Place.Line &&
           A.Place.Column == B.Place.Column;
  });
  Findings.erase(Last, Findings.end());
}

} // namespace cupel
