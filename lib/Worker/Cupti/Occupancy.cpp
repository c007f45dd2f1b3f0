//===- Occupancy.cpp - how many warps an SM can hold ------------------------===//

#include "Occupancy.h"
#include <cuda_runtime_api.h>
// After the runtime's header, whose structures it converts from.
#include <cuda_occupancy.h>

using namespace cupel::worker;

static std::vector<std::string> limitNames(unsigned Factors) {
  static constexpr std::pair<unsigned, const char *> Names[] = {
      {OCC_LIMIT_WARPS, "warps"},
      {OCC_LIMIT_REGISTERS, "registers"},
      {OCC_LIMIT_SHARED_MEMORY, "shared_memory"},
      {OCC_LIMIT_BLOCKS, "blocks"},
      {OCC_LIMIT_BARRIERS, "barriers"}};
  std::vector<std::string> Result;
  for (auto [Bit, Name] : Names)
    if (Factors & Bit)
      Result.push_back(Name);
  return Result;
}

std::optional<Occupancy> cupel::worker::theoreticalOccupancy(const Activity &Kernel,
                                                             const cudaDeviceProp &Properties) {
  cudaOccDeviceProp Device(Properties);
  cudaOccFuncAttributes Function;
  Function.maxThreadsPerBlock = Properties.maxThreadsPerBlock;
  Function.numRegs = static_cast<int>(Kernel.Registers);
  Function.sharedSizeBytes = Kernel.StaticShared;
  Function.partitionedGCConfig = PARTITIONED_GC_OFF;
  // It ran, so whatever limit it needed was set.
  Function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  Function.maxDynamicSharedSizeBytes = Kernel.DynamicShared;
  Function.numBlockBarriers = 1;
  cudaOccDeviceState State;
  cudaOccResult Result;
  unsigned Threads = Kernel.Block[0] * Kernel.Block[1] * Kernel.Block[2];
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&Result, &Device, &Function, &State,
                                              static_cast<int>(Threads),
                                              Kernel.DynamicShared) != CUDA_OCC_SUCCESS)
    return std::nullopt;
  auto Warp = static_cast<unsigned>(Properties.warpSize);
  double Warps =
      (Threads + Warp - 1) / Warp * static_cast<double>(Result.activeBlocksPerMultiprocessor);
  return Occupancy{Warps * Warp / Properties.maxThreadsPerMultiProcessor,
                   limitNames(Result.limitingFactors)};
}
