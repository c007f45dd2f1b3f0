//===- KernelGates.h - flags that keep a kernel from its work ----------------===//
#ifndef CUPEL_LIB_CHECKS_FLOW_KERNELGATES_H
#define CUPEL_LIB_CHECKS_FLOW_KERNELGATES_H

#include "KernelEffects.h"

namespace cupel {

/// The flag in the device's memory that \p Condition tests, null when it tests none, and whether
/// the condition is true when the flag is not zero.
std::pair<const clang::VarDecl *, bool> testedFlag(const clang::Expr *Condition);

/// The Gates of \p Kernel's body: `if (done) return;` before anything is stored, or
/// `if (!done) { ... }` around all.
KernelEffects::Variables gatesOf(const clang::FunctionDecl &Kernel);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FLOW_KERNELGATES_H
