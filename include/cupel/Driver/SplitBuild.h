//===- SplitBuild.h - a parsed submission to the halves of its build ---------===//
#ifndef CUPEL_DRIVER_SPLITBUILD_H
#define CUPEL_DRIVER_SPLITBUILD_H

#include "cupel/Build/Builder.h"
#include "cupel/Frontend/ParsedSubmission.h"

namespace cupel {

/// What a split build of \p Submission for \p Architecture needs, or why it has none.
SplitRequest splitRequest(const ParsedSubmission &Submission, const Toolchain &Tools,
                          llvm::StringRef Architecture);

/// What Clang found wrong with \p Submission that a build for \p Architecture has too, for
/// BuildRequest::Errors.
std::vector<SourceError> sourceErrors(const ParsedSubmission &Submission,
                                      llvm::StringRef Architecture);

} // namespace cupel

#endif // CUPEL_DRIVER_SPLITBUILD_H
