//===- AtenCall.h - fallback-aten-call ------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_ATENCALL_H
#define CUPEL_LIB_CHECKS_FALLBACK_ATENCALL_H

#include "cupel/Checks/Check.h"

namespace cupel {

class AtenCallCheck : public Check {
public:
  AtenCallCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_ATENCALL_H
