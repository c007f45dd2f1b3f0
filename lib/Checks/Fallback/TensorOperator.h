//===- TensorOperator.h - fallback-tensor-operator ------------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_TENSOROPERATOR_H
#define CUPEL_LIB_CHECKS_FALLBACK_TENSOROPERATOR_H

#include "cupel/Checks/Check.h"

namespace cupel {

class TensorOperatorCheck : public Check {
public:
  TensorOperatorCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_TENSOROPERATOR_H
