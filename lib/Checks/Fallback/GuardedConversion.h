//===- GuardedConversion.h - conversions that the problem never needs -------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_GUARDEDCONVERSION_H
#define CUPEL_LIB_CHECKS_FALLBACK_GUARDEDCONVERSION_H

#include "cupel/Checks/CheckContext.h"

namespace cupel {

/// Whether \p Use, a `to(type)`, stands behind a test that a tensor has another type, as in
/// `ids.scalar_type() == at::kInt ? ids : ids.to(at::kInt)`: it does nothing for a caller that
/// passes that type. Where a problem is known, one of its inputs must have it.
bool convertsOnlyOtherTypes(const FunctionUse &Use, const CheckContext &Context);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_GUARDEDCONVERSION_H
