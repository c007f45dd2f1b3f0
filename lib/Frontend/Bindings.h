//===- Bindings.h - host functions that a caller can reach ------------------===//
#ifndef CUPEL_LIB_FRONTEND_BINDINGS_H
#define CUPEL_LIB_FRONTEND_BINDINGS_H

#include "cupel/Frontend/ParsedSubmission.h"

namespace cupel {

/// Fills Entries and EntryFunctions from the host pass: what `PYBIND11_MODULE` and `TORCH_LIBRARY`
/// bind; without a binding, or when none has that name, the function named \p EntryName; without
/// either `forward`, else the only host function from tensors to tensors.
void listEntries(ParsedSubmission &Submission, llvm::StringRef EntryName);

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_BINDINGS_H
