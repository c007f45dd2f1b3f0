//===- LowerPrecision.h - work-lower-precision -----------------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_LOWERPRECISION_H
#define CUPEL_LIB_CHECKS_WORK_LOWERPRECISION_H

#include "cupel/Checks/Check.h"

namespace cupel {

class LowerPrecisionCheck : public Check {
public:
  LowerPrecisionCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_LOWERPRECISION_H
