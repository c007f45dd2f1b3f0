//===- KnownHeaders.h - files that are not the submission's -------------------===//
#ifndef CUPEL_LIB_FRONTEND_KNOWNHEADERS_H
#define CUPEL_LIB_FRONTEND_KNOWNHEADERS_H

#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/StringRef.h"

namespace cupel {

/// Whether the file \p Path lies in a folder in which \p Options have headers looked for.
bool isKnownHeader(const clang::HeaderSearchOptions &Options, llvm::StringRef Path);

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_KNOWNHEADERS_H
