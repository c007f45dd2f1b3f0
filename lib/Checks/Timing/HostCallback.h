//===- HostCallback.h - timing-host-callback -------------------------------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_HOSTCALLBACK_H
#define CUPEL_LIB_CHECKS_TIMING_HOSTCALLBACK_H

#include "cupel/Checks/Check.h"

namespace cupel {

class HostCallbackCheck : public Check {
public:
  HostCallbackCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_HOSTCALLBACK_H
