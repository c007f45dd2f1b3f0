//===- DeviceSync.cpp - timing-device-sync ---------------------------------===//

#include "DeviceSync.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

DeviceSyncCheck::DeviceSyncCheck()
    : Check("timing-device-sync", Level::Warn,
            "The whole device is waited for, or memory is allocated, in the call") {}

void DeviceSyncCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Warn,
                  {"cudaDeviceSynchronize", "cudaThreadSynchronize", "cuCtxSynchronize"},
                  "waits for the whole device");
  reportNamedUses(Context, *this, Level::Warn,
                  {"cudaMalloc", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc",
                   "cuMemAlloc", "cuMemAlloc_v2"},
                  "allocates outside of torch and waits for the device");
}

} // namespace cupel
