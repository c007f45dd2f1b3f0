//===- TensorFill.h - fallback-tensor-fill --------------------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_TENSORFILL_H
#define CUPEL_LIB_CHECKS_FALLBACK_TENSORFILL_H

#include "cupel/Checks/Check.h"

namespace cupel {

class TensorFillCheck : public Check {
public:
  TensorFillCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_TENSORFILL_H
