//===- KernelBody.h - what a kernel does with its parameters ----------------===//
#ifndef CUPEL_LIB_CHECKS_FLOW_KERNELBODY_H
#define CUPEL_LIB_CHECKS_FLOW_KERNELBODY_H

#include "cupel/Checks/CheckContext.h"

namespace cupel {

/// Whether kernels have the bodies for the device and other compilers that they have here, in the
/// host's view.
bool isSameForDevice(const CheckContext &Context);

/// Whether \p Kernel certainly neither reads nor writes through its parameter \p Index, since its
/// body never names it. False where other passes or compilers may see another body.
bool neverUses(const clang::FunctionDecl &Kernel, unsigned Index, const CheckContext &Context);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FLOW_KERNELBODY_H
