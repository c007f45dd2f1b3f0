//===- TimingChecks.cpp - the checks of module timing ----------------------===//

#include "../Modules.h"
#include "DeviceSync.h"
#include "HostCallback.h"
#include "HostClock.h"
#include "HostSleep.h"
#include "L2EvictLast.h"
#include "L2Persistence.h"
#include "LazyTensor.h"
#include "SideStream.h"
#include "Thread.h"

namespace cupel {

void registerTimingChecks(CheckRegistry &Registry) {
  Registry.add<DeviceSyncCheck>();
  Registry.add<HostCallbackCheck>();
  Registry.add<HostClockCheck>();
  Registry.add<HostSleepCheck>();
  Registry.add<L2EvictLastCheck>();
  Registry.add<L2PersistenceCheck>();
  Registry.add<LazyTensorCheck>();
  Registry.add<SideStreamCheck>();
  Registry.add<ThreadCheck>();
}

} // namespace cupel
