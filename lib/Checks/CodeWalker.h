//===- CodeWalker.h - from a function body to the uses in it ----------------===//
#ifndef CUPEL_LIB_CHECKS_CODEWALKER_H
#define CUPEL_LIB_CHECKS_CODEWALKER_H

#include "cupel/Checks/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cupel {

/// What the walk over a body meets besides uses.
class CodeSink {
public:
  virtual ~CodeSink() = default;
  /// A closure, whose call operator is code of its own.
  virtual void foundLambda(const clang::CXXMethodDecl *CallOperator, bool IsPattern) = 0;
  /// A class or function inside the body.
  virtual void foundLocalDecl(clang::Decl *D, bool IsPattern) = 0;
};

/// Fills \p Unit with the uses of functions and variables in its body or initialiser. Operands
/// that are not evaluated (decltype, sizeof, noexcept, types) are left out. \p IsEntry: tests of
/// the parameters' device say something.
void collectUses(CodeUnit &Unit, const ParsedPass &Pass, const Symbols &Names, bool IsEntry,
                 CodeSink &Sink);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_CODEWALKER_H
