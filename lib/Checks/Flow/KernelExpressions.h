//===- KernelExpressions.h - what a kernel's expressions name ---------------===//
#ifndef CUPEL_LIB_CHECKS_FLOW_KERNELEXPRESSIONS_H
#define CUPEL_LIB_CHECKS_FLOW_KERNELEXPRESSIONS_H

#include "KernelEffects.h"

namespace cupel {

/// The variable that holds \p E or points to it.
const clang::VarDecl *rootOf(const clang::Expr *E);

/// Whether \p E is reached through a pointer or reference, and no part of a variable itself.
bool isBehindPointer(const clang::Expr *E);

/// Whether \p E is a constant number 0.
bool isZero(const clang::Expr *E, const clang::ASTContext &AST);

/// The device's variables that \p Kernel names, in any function that it may call.
KernelEffects::Variables deviceVariablesIn(const clang::FunctionDecl &Kernel);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FLOW_KERNELEXPRESSIONS_H
