//===- CheckPages.h - the documentation page of each check ------------------===//
#ifndef CUPEL_CHECKS_CHECKPAGES_H
#define CUPEL_CHECKS_CHECKPAGES_H

#include "llvm/ADT/StringRef.h"

namespace cupel {

/// The Markdown page docs/checks/MODULE/NAME.md of the check \p Id, which is part of the program;
/// empty when it has none.
llvm::StringRef checkPage(llvm::StringRef Id);

} // namespace cupel

#endif // CUPEL_CHECKS_CHECKPAGES_H
