//===- LaunchLimits.h - work-launch-limits ---------------------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_LAUNCHLIMITS_H
#define CUPEL_LIB_CHECKS_WORK_LAUNCHLIMITS_H

#include "cupel/Checks/Check.h"

namespace cupel {

class LaunchLimitsCheck : public Check {
public:
  LaunchLimitsCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_LAUNCHLIMITS_H
