//===- KernelThreads.h - conditions that the size of a block decides --------===//
#ifndef CUPEL_LIB_CHECKS_FLOW_KERNELTHREADS_H
#define CUPEL_LIB_CHECKS_FLOW_KERNELTHREADS_H

#include "clang/AST/ExprCXX.h"
#include <optional>

namespace cupel {

/// CUDA programming guide, "Technical Specifications per Compute Capability": on all devices.
constexpr int64_t MaxThreadsOfBlock = 1024;

/// The threads of a block, the product of the arguments of `dim3(...)`, when all are constants.
std::optional<int64_t> threadsOfBlock(const clang::CUDAKernelCallExpr &Launch,
                                      const clang::ASTContext &AST);

/// What \p Condition is for each of a block's \p Threads, where their number alone tells:
/// `threadIdx.x == 5000`.
std::optional<bool> decidedByThreads(const clang::Expr *Condition, int64_t Threads,
                                     const clang::ASTContext &AST);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FLOW_KERNELTHREADS_H
