//===- Headers.h - the headers and macros that a submission is read with ----===//
//
// The parse and the build must read the same program: both take these from here.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_FRONTEND_HEADERS_H
#define CUPEL_FRONTEND_HEADERS_H

#include "cupel/Support/Toolchain.h"
#include <functional>

namespace cupel {

/// Folder of the headers that stand for torch's in the parse, share/cupel/parse when installed and
/// share/parse in the source tree. The build has its own (docs/frontend.md).
std::string parseHeaderDir(const Toolchain &Tools);

/// Macros of every submission, as `NAME` or `NAME=VALUE`: what torch.utils.cpp_extension gives
/// nvcc, and the module's name.
std::vector<std::string> submissionMacros();

/// \p Tell is called from then on, by any thread, before headers are precompiled or somebody else's
/// precompiling is waited for: up to a minute in which nothing else is heard. Once for each set of
/// headers, whose name it is given (`slim`, `full`, `cuda`).
void onPreparingHeaders(std::function<void(llvm::StringRef)> Tell);

} // namespace cupel

#endif // CUPEL_FRONTEND_HEADERS_H
