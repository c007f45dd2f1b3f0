//===- HostObject.h - a submission's host code as an object file -------------===//
//
// Clang compiles what it judged: launches become calls of the CUDA runtime, kernels and device
// variables are registered when the library is loaded. The device image is made by nvcc at the same
// time, so the object leaves open what is only known afterwards: the image, `cupel_image`, and the
// names that nvcc gives to the kernels and variables in it, `cupel_name_<index>`.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_SPLIT_HOSTOBJECT_H
#define CUPEL_SPLIT_HOSTOBJECT_H

#include "cupel/Support/Error.h"
#include <vector>

namespace cupel {

/// Compiles a source by a description in JSON, the only one of \p Arguments:
///
///     { "arguments": [of `clang -cc1`], "pch": PATH, "source": PATH,
///       "object": PATH, "names": PATH }
///
/// `names` gets `[{ "kind": "kernel" | "variable", "name": MANGLED, "bytes": N }]`, whose order is
/// that of `cupel_name_<index>`. For a process of its own, whose memory and time are limited from
/// outside: the source is somebody else's. Messages go to standard error as Clang prints them;
/// returns the exit status, 0 or 1.
int hostObjectMain(llvm::ArrayRef<const char *> Arguments);

} // namespace cupel

#endif // CUPEL_SPLIT_HOSTOBJECT_H
