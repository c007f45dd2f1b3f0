//===- DeviceSync.h - timing-device-sync -----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_DEVICESYNC_H
#define CUPEL_LIB_CHECKS_TIMING_DEVICESYNC_H

#include "cupel/Checks/Check.h"

namespace cupel {

class DeviceSyncCheck : public Check {
public:
  DeviceSyncCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_DEVICESYNC_H
