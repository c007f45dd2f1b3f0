//===- ReasonPages.h - what the documentation says of a reason ----------------===//
#ifndef CUPEL_REPORT_REASONPAGES_H
#define CUPEL_REPORT_REASONPAGES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace cupel {

/// A row of a table, a (column's title, text) for each cell but the code's.
using ReasonRow = std::vector<std::pair<std::string, std::string>>;

/// The rows for the reason \p Code in the tables of the Markdown \p Page: those whose first cell
/// names it as code, alone or among others.
std::vector<ReasonRow> rowsFor(llvm::StringRef Code, llvm::StringRef Page);

/// The same in docs/verdicts.md and docs/emulation.md, which are part of the program.
std::vector<ReasonRow> reasonRows(llvm::StringRef Code);

} // namespace cupel

#endif // CUPEL_REPORT_REASONPAGES_H
