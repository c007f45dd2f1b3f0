//===- HostSleep.h - timing-host-sleep -------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_HOSTSLEEP_H
#define CUPEL_LIB_CHECKS_TIMING_HOSTSLEEP_H

#include "cupel/Checks/Check.h"

namespace cupel {

class HostSleepCheck : public Check {
public:
  HostSleepCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_HOSTSLEEP_H
