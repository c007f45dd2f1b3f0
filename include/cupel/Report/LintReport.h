//===- LintReport.h - lint records for people and for other programs --------===//
#ifndef CUPEL_REPORT_LINTREPORT_H
#define CUPEL_REPORT_LINTREPORT_H

#include "cupel/Checks/Check.h"
#include "cupel/Checks/LintRecord.h"
#include "llvm/Support/raw_ostream.h"

namespace cupel {

/// A record with the text that it is about, for the lines to show. The text is empty when the file
/// could not be read.
struct LintedFile {
  LintRecord Record;
  std::string Source;
};

/// As Clang prints diagnostics: place, level, message, source line with a caret, notes; then one
/// line with the verdict.
void writeLintText(const LintedFile &File, bool Colour, llvm::raw_ostream &OS);

/// `file.cu: rejected: 2 rejects, 1 warning (policy strict)`, without a line's end.
std::string lintSummary(const LintRecord &Record);

/// Design section 11.
void writeLintJson(llvm::ArrayRef<LintedFile> Files, llvm::raw_ostream &OS);

/// SARIF 2.1.0 (OASIS standard of 27 March 2020): one run, a rule for each check of \p Registry.
void writeSarif(llvm::ArrayRef<LintedFile> Files, const CheckRegistry &Registry,
                llvm::raw_ostream &OS);

} // namespace cupel

#endif // CUPEL_REPORT_LINTREPORT_H
