//===- DeviceSource.h - what of a submission runs on the GPU ----------------===//
//
// nvcc needs neither torch's headers nor host functions to make a kernel's machine code. From the
// two syntax trees comes a source that holds what device code needs and nothing else, so that nvcc
// reads a tenth of the text. docs/build.md says how, and what is left to nvcc on the whole file.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_SPLIT_DEVICESOURCE_H
#define CUPEL_SPLIT_DEVICESOURCE_H

#include "cupel/Frontend/ParsedSubmission.h"

namespace cupel {

/// The source of the device image: \p Submission with host-only code blanked out on its own lines,
/// the headers that device code names in front and, behind, a function that names each instance of
/// a kernel template that host code uses, so that nvcc makes it as it would for a launch.
///
/// \p Architecture is what it will be compiled for. Every error has the code `not-split` and says
/// why nvcc must see the whole file: whatever is in doubt is.
llvm::Expected<std::string> deviceSource(const ParsedSubmission &Submission,
                                         llvm::StringRef Architecture);

} // namespace cupel

#endif // CUPEL_SPLIT_DEVICESOURCE_H
