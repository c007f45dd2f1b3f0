//===- VendorCall.h - fallback-vendor-call --------------------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_VENDORCALL_H
#define CUPEL_LIB_CHECKS_FALLBACK_VENDORCALL_H

#include "cupel/Checks/Check.h"

namespace cupel {

class VendorCallCheck : public Check {
public:
  VendorCallCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_VENDORCALL_H
