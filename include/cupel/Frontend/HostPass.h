//===- HostPass.h - the host pass for somebody who compiles on ---------------===//
#ifndef CUPEL_FRONTEND_HOSTPASS_H
#define CUPEL_FRONTEND_HOSTPASS_H

#include "cupel/Support/Toolchain.h"

namespace cupel {

/// How the host pass reads a submission with the `slim` headers, so that what was judged can be
/// compiled: the very flags and the very precompiled header.
struct HostPass {
  std::vector<std::string> Arguments; ///< Of `clang -cc1`, without input, output and action.
  std::string Pch;
};

/// The host pass beside a device pass for \p Architecture. Makes the precompiled header when there is
/// none that is current. Errors as parseSubmission has them.
llvm::Expected<HostPass> hostPass(const Toolchain &Tools, llvm::StringRef Architecture);

} // namespace cupel

#endif // CUPEL_FRONTEND_HOSTPASS_H
