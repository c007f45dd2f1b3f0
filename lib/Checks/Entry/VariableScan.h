//===- VariableScan.h - which variables of a function can be followed -------===//
#ifndef CUPEL_LIB_CHECKS_ENTRY_VARIABLESCAN_H
#define CUPEL_LIB_CHECKS_ENTRY_VARIABLESCAN_H

#include "cupel/Checks/Symbols.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace cupel {

/// What the body of a function does with variables, wherever in it.
struct VariableScan {
  /// Changed by a plain assignment somewhere.
  llvm::DenseSet<const clang::VarDecl *> Assigned;
  /// Changed, perhaps, where no assignment shows it: their address is taken, they are bound to a
  /// reference that may be written, or a lambda that is called later assigns them.
  llvm::DenseSet<const clang::VarDecl *> Wild;
  /// Some tensor's shape is changed in place. Tensors share it, so nothing is known of any.
  bool ChangesShapes = false;
};

/// Scans the body of \p F; \p Depth is how many calls are followed to see whether a reference
/// parameter is written.
VariableScan scanVariables(const clang::FunctionDecl *F, const Symbols &Names, unsigned Depth = 3);

/// The variables that \p S assigns.
llvm::SmallVector<const clang::VarDecl *, 4> assignedIn(const clang::Stmt *S);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_ENTRY_VARIABLESCAN_H
