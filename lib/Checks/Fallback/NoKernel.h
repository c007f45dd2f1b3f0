//===- NoKernel.h - fallback-no-kernel -------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_NOKERNEL_H
#define CUPEL_LIB_CHECKS_FALLBACK_NOKERNEL_H

#include "cupel/Checks/Check.h"

namespace cupel {

class NoKernelCheck : public Check {
public:
  NoKernelCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_NOKERNEL_H
