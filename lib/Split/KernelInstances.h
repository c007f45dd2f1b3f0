//===- KernelInstances.h - the kernels that host code uses -------------------===//
#ifndef CUPEL_LIB_SPLIT_KERNELINSTANCES_H
#define CUPEL_LIB_SPLIT_KERNELINSTANCES_H

#include "SourceItems.h"

namespace cupel {

/// Instances of kernel templates that the host pass of \p Submission made.
std::vector<const clang::FunctionDecl *> kernelInstances(const ParsedSubmission &Submission);

/// A function that names each of \p Kernels, to stand behind the source. Naming an instance makes
/// it, exactly as a launch does. Error: `not-split`, for types without a name (lambdas, local
/// classes).
llvm::Expected<std::string> instanceTail(llvm::ArrayRef<const clang::FunctionDecl *> Kernels,
                                         const ParsedPass &Pass);

} // namespace cupel

#endif // CUPEL_LIB_SPLIT_KERNELINSTANCES_H
