//===- SureErrors.h - errors that nvcc is not asked about --------------------===//
#ifndef CUPEL_LIB_FRONTEND_SUREERRORS_H
#define CUPEL_LIB_FRONTEND_SUREERRORS_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class Diagnostic;
}

namespace cupel {

/// Of the error \p Info, whose message is \p Text.
MistakeKind mistakeKind(const clang::Diagnostic &Info, llvm::StringRef Text);

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_SUREERRORS_H
