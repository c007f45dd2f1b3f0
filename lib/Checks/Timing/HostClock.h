//===- HostClock.h - timing-host-clock -------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_HOSTCLOCK_H
#define CUPEL_LIB_CHECKS_TIMING_HOSTCLOCK_H

#include "cupel/Checks/Check.h"

namespace cupel {

class HostClockCheck : public Check {
public:
  HostClockCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_HOSTCLOCK_H
