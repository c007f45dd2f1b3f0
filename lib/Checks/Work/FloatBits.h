//===- FloatBits.h - bits of floats that a mask takes away ------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_FLOATBITS_H
#define CUPEL_LIB_CHECKS_WORK_FLOATBITS_H

#include "clang/AST/Decl.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace cupel {

/// Where \p F masks the lower bits of a float's mantissa away and never takes a difference, which
/// would keep them: `hi = x & mask; lo = x - hi` is how exact products are split. \p HoldsFloats
/// says of a parameter, a pointer to integers, whether it leads to floats.
std::vector<clang::SourceLocation>
maskedFloats(const clang::FunctionDecl &F, const clang::ASTContext &AST,
             llvm::function_ref<bool(const clang::ParmVarDecl &)> HoldsFloats);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_FLOATBITS_H
