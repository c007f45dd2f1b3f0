//===- BranchConditions.h - what an if says about the code behind it --------===//
#ifndef CUPEL_LIB_CHECKS_BRANCHCONDITIONS_H
#define CUPEL_LIB_CHECKS_BRANCHCONDITIONS_H

#include "cupel/Checks/Symbols.h"
#include <optional>

namespace cupel {

/// The value of \p Condition when it is a constant without side effects, or when no values of its
/// operands make it another one.
std::optional<bool> constantCondition(const clang::Expr *Condition, clang::ASTContext &Context);

/// What a condition proves when it is true and when it is false: that a tensor which the caller
/// passed is not on the GPU. Problems run there, so such code never runs.
struct CpuProof {
  bool WhenTrue = false, WhenFalse = false;
};

/// Looks at tests of parameters of \p Function, which must be an entry, that the function never
/// changes; a tensor of its own making proves nothing.
CpuProof cpuProof(const clang::Expr *Condition, const clang::FunctionDecl *Function,
                  const Symbols &Names);

/// Whether control never gets past \p S: it ends in return, throw or a call that does not return.
bool neverFallsThrough(const clang::Stmt *S);

/// Whether \p S can be entered from elsewhere, by a label or a case.
bool hasEntryLabel(const clang::Stmt *S);
/// Whether \p S can be entered by a goto.
bool hasGotoLabel(const clang::Stmt *S);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_BRANCHCONDITIONS_H
