//===- Occupancy.cpp - occupancy of kernels that were only emulated ---------===//

#include "Occupancy.h"
#include "../../Emulate/Runtime/H100.h"
#include "WorkerError.h"
#include <cuda_runtime_api.h>
// After the runtime's header, whose structures it converts from.
#include <cuda_occupancy.h>

using namespace cupel::worker;
namespace emu = cupel::emu;

static cudaOccDeviceProp emulatedDevice() {
  cudaOccDeviceProp Device;
  Device.computeMajor = 9;
  Device.computeMinor = 0;
  Device.maxThreadsPerBlock = 1024;
  Device.maxThreadsPerMultiprocessor = emu::ThreadsPerMultiprocessor;
  Device.regsPerBlock = emu::RegistersPerMultiprocessor;
  Device.regsPerMultiprocessor = emu::RegistersPerMultiprocessor;
  Device.warpSize = 32;
  Device.sharedMemPerBlock = 48 << 10;
  Device.sharedMemPerMultiprocessor = emu::SharedPerMultiprocessor;
  Device.numSms = emu::Multiprocessors;
  Device.sharedMemPerBlockOptin = emu::MaxSharedOptIn;
  Device.reservedSharedMemPerBlock = emu::ReservedShared;
  return Device;
}

static Json occupancy(const Json &Kernel) {
  const cudaOccDeviceProp Device = emulatedDevice();
  cudaOccFuncAttributes Function;
  Function.maxThreadsPerBlock = Device.maxThreadsPerBlock;
  Function.numRegs = field<int>(Kernel, "registers");
  Function.sharedSizeBytes = field<size_t>(Kernel, "static_shared_bytes");
  Function.partitionedGCConfig = PARTITIONED_GC_OFF;
  auto Dynamic = field<size_t>(Kernel, "dynamic_shared_bytes");
  // It ran, so whatever limit it needed was set.
  Function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  Function.maxDynamicSharedSizeBytes = Dynamic;
  Function.numBlockBarriers = 1;
  const cudaOccDeviceState State;
  cudaOccResult Result;
  int Threads = field<int>(Kernel, "threads");
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&Result, &Device, &Function, &State, Threads,
                                              Dynamic) != CUDA_OCC_SUCCESS ||
      Result.activeBlocksPerMultiprocessor == 0)
    return nullptr;
  int Warps = (Threads + 31) / 32 * Result.activeBlocksPerMultiprocessor;
  return 32.0 * Warps / emu::ThreadsPerMultiprocessor;
}

Json cupel::worker::occupancies(const Json &Request) {
  Json List = Json::array();
  for (const Json &Kernel : field<Json>(Request, "kernels"))
    List.push_back(occupancy(Kernel));
  return {{"occupancy", std::move(List)}};
}
