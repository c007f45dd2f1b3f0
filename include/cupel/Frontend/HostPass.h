//===- HostPass.h - the host pass for somebody who compiles on ---------------===//
#ifndef CUPEL_FRONTEND_HOSTPASS_H
#define CUPEL_FRONTEND_HOSTPASS_H

#include "cupel/Support/Toolchain.h"
#include "llvm/ADT/ArrayRef.h"

namespace cupel {

/// How the host pass reads a submission with the `slim` headers, so that what was judged can be
/// compiled: the very flags and the very precompiled header.
struct HostPass {
  std::vector<std::string> Arguments; ///< Of `clang -cc1`, without input, output and action.
  std::string Pch;
};

/// The host pass beside a device pass for \p Architecture. Makes the precompiled header when there
/// is none that is current. Errors as parseSubmission has them.
llvm::Expected<HostPass> hostPass(const Toolchain &Tools, llvm::StringRef Architecture);

/// Directives that make a submission, read with \p Arguments after its precompiled header, see the
/// version of the gcc whose C++ library they name: it builds the submission, and a condition must
/// choose the same text for both. The headers themselves are read as by gcc 4.2.1, which Clang
/// calls itself: glibc (bits/floatn-common.h) expects types of gcc 13 that Clang does not have.
/// Empty where no gcc is found.
std::string versionOfGcc(llvm::ArrayRef<std::string> Arguments);

} // namespace cupel

#endif // CUPEL_FRONTEND_HOSTPASS_H
