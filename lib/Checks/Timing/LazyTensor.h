//===- LazyTensor.h - timing-lazy-tensor -----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_LAZYTENSOR_H
#define CUPEL_LIB_CHECKS_TIMING_LAZYTENSOR_H

#include "cupel/Checks/Check.h"

namespace cupel {

class LazyTensorCheck : public Check {
public:
  LazyTensorCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_LAZYTENSOR_H
