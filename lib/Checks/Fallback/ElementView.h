//===- ElementView.h - x[0] that only says where a kernel works -------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_ELEMENTVIEW_H
#define CUPEL_LIB_CHECKS_FALLBACK_ELEMENTVIEW_H

#include "cupel/Checks/CheckContext.h"

namespace cupel {

/// Whether \p Use is `x[i]` by a number, which is the view `x.select(0, i)`, and all that becomes
/// of it there is a pointer, a size or a variable: `x[i].data_ptr<float>()`, `auto xi = x[i];`.
/// What is done with the variable is judged where it is done.
bool isElementView(const FunctionUse &Use, const Symbols &Names);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_ELEMENTVIEW_H
