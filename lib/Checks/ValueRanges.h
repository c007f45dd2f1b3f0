//===- ValueRanges.h - conditions that no value can make true ---------------===//
#ifndef CUPEL_LIB_CHECKS_VALUERANGES_H
#define CUPEL_LIB_CHECKS_VALUERANGES_H

#include "clang/AST/Stmt.h"
#include <optional>

namespace clang {
class ASTContext;
class Expr;
class VarDecl;
} // namespace clang

namespace cupel {

/// What \p Condition is for all values that its operands can have, when they agree: the sizes of a
/// tensor are never negative, nor is what is unsigned, and a variable that nobody changes has the
/// range of its initialiser. Nothing when they do not agree, or when nobody can tell.
std::optional<bool> decidedByRanges(const clang::Expr *Condition, clang::ASTContext &Context);

/// Whether the body of \p Loop (a `for` or `while`) is never run: its condition is false already
/// for what the variables of a `for` start with.
bool neverRuns(const clang::Stmt *Loop, clang::ASTContext &Context);

/// Whether \p Switch leads to none of its cases.
bool fitsNoCase(const clang::SwitchStmt *Switch, clang::ASTContext &Context);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_VALUERANGES_H
