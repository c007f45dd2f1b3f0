//===- KernelGates.h - flags that keep a kernel from its work ----------------===//
#ifndef CUPEL_LIB_CHECKS_FLOW_KERNELGATES_H
#define CUPEL_LIB_CHECKS_FLOW_KERNELGATES_H

#include "KernelEffects.h"

namespace cupel {

/// Whether \p Condition tests an integer in the device's memory for zero, and no data otherwise.
bool testsFlag(const clang::Expr *Condition);

/// The flag without which a branch of `if (Condition)` never runs once it is set: that of the first
/// branch, or of the second (\p OfElse). Null when there is none.
const clang::VarDecl *flagAgainst(const clang::Expr *Condition, bool OfElse);

/// The Gates of \p Kernel's body: `if (done) return;` before anything is stored, or
/// `if (i < n && !done) { ... }` around all of that.
KernelEffects::Variables gatesOf(const clang::FunctionDecl &Kernel);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FLOW_KERNELGATES_H
