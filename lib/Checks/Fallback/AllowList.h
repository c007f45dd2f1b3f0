//===- AllowList.h - what of torch a submission may use ---------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_ALLOWLIST_H
#define CUPEL_LIB_CHECKS_FALLBACK_ALLOWLIST_H

#include "llvm/ADT/StringRef.h"

namespace cupel {

/// Allowed: allocation without a kernel, metadata, views, layout. Fill: allocation with torch's
/// fill kernel. Copy: moves data or waits for it, without computing. Converts: `to` and kin, where
/// the arguments decide. Computes: everything that no table names.
enum class Allowance { Allowed, Fill, Copy, Converts, Computes };

/// Of the operator \p Name (`view`, `empty_like`), called as a tensor's method or as a function of
/// namespace at or torch.
Allowance allowanceOfOperator(llvm::StringRef Name);

/// Of the function \p QualifiedName, which is no operator but takes or returns tensors.
bool isAllowedHelper(llvm::StringRef QualifiedName);

/// The operator's name without what tells its variants apart: `add` of `add_`, `add_out`,
/// `add_symint`.
llvm::StringRef baseOperator(llvm::StringRef Name);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_ALLOWLIST_H
