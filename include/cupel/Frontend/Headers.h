//===- Headers.h - the headers and macros that a submission is read with ----===//
//
// The parse and the build must read the same program: both take these from here.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_FRONTEND_HEADERS_H
#define CUPEL_FRONTEND_HEADERS_H

#include "cupel/Support/Toolchain.h"

namespace cupel {

/// Folder of the shadow headers, first on the search path of the slim set: share/cupel/shadow when
/// installed, share/shadow in the source tree.
std::string shadowDir(const Toolchain &Tools);

/// Macros of every submission, as `NAME` or `NAME=VALUE`: what torch.utils.cpp_extension gives
/// nvcc, and the module's name.
std::vector<std::string> submissionMacros();

} // namespace cupel

#endif // CUPEL_FRONTEND_HEADERS_H
