//===- TensorMethod.h - fallback-tensor-method ----------------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_TENSORMETHOD_H
#define CUPEL_LIB_CHECKS_FALLBACK_TENSORMETHOD_H

#include "cupel/Checks/Check.h"

namespace cupel {

class TensorMethodCheck : public Check {
public:
  TensorMethodCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_TENSORMETHOD_H
