// The device, its attributes, errors, kernels' attributes and occupancy. Figures are an H100 SXM's
// (programming guide, table of technical specifications for compute capability 9.0).

#include "ApiError.h"
#include "DeviceMemory.h"
#include "Errors.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>

namespace cupel::emu {

namespace {
struct Kernel {
  Site Where{nullptr, 0, Waits::Anything};
  PointerLaunch Launch = nullptr;
  KernelAttributes Attributes;
};
struct Kernels {
  std::mutex Lock;
  std::map<const void *, Kernel> Known;
};
Kernels &kernels() {
  static auto *K = new Kernels;
  return *K;
}
std::atomic<int> LastError{0}, Sticky{0};
thread_local bool RefusedUnseen = false;
thread_local const void *LaunchedFrom = nullptr; ///< The call of cudaLaunchKernel or its kin.
} // namespace

cudaError_t fail(cudaError_t Error) {
  LastError = Error;
  return Error;
}

void setStickyError() { Sticky = LastError = cudaErrorIllegalAddress; }
int stickyError() { return Sticky; }
void resetStickyError() { Sticky = LastError = 0; }

int refuseLaunch(Refusal Kind) {
  RefusedUnseen = true;
  return fail(Kind == Refusal::Configuration ? cudaErrorInvalidConfiguration
              : Kind == Refusal::Value       ? cudaErrorInvalidValue
                                             : cudaErrorCooperativeLaunchTooLarge);
}

KernelAttributes kernelAttributes(const void *Function) {
  Kernels &K = kernels();
  const std::lock_guard<std::mutex> Guard(K.Lock);
  const auto At = K.Known.find(Function);
  return At == K.Known.end() ? KernelAttributes{} : At->second.Attributes;
}

Site registeredSite(const void *Function) {
  Kernels &K = kernels();
  const std::lock_guard<std::mutex> Guard(K.Lock);
  const auto At = K.Known.find(Function);
  return At == K.Known.end() ? Site{nullptr, 0, Waits::Anything} : At->second.Where;
}

void registerKernel(const Site &Where, const void *Function, PointerLaunch Launch) {
  Kernels &K = kernels();
  const std::lock_guard<std::mutex> Guard(K.Lock);
  Kernel &Known = K.Known[Function];
  Known.Where = Where;
  Known.Launch = Launch;
}

int launchRegistered(const void *Function, const LaunchShape &Shape, void **Arguments) {
  Kernels &K = kernels();
  PointerLaunch Launch = nullptr;
  {
    const std::lock_guard<std::mutex> Guard(K.Lock);
    if (const auto At = K.Known.find(Function); At != K.Known.end())
      Launch = At->second.Launch;
  }
  return Launch ? Launch(Function, Shape, Arguments) : fail(cudaErrorInvalidDeviceFunction);
}

unsigned lineOfPointerLaunch() { return findPlace(LaunchedFrom).Line; }

// Registers are the compiler's and unknown here; 32 a thread is what fills a multiprocessor.
unsigned blocksPerMultiprocessor(unsigned Threads, size_t SharedBytes) {
  if (Threads == 0 || Threads > 1024)
    return 0;
  const unsigned Rounded = (Threads + 31) / 32 * 32;
  const unsigned ByShared = SharedPerMultiprocessor / (SharedBytes + ReservedShared);
  return std::min({BlocksPerMultiprocessor, ThreadsPerMultiprocessor / Rounded, ByShared});
}

} // namespace cupel::emu

using namespace cupel::emu;

static cudaError_t launchPointer(const void *Function, const LaunchShape &Shape, void **Arguments,
                                 const void *From) {
  LaunchedFrom = From;
  const int Error = launchRegistered(Function, Shape, Arguments);
  LaunchedFrom = nullptr;
  return static_cast<cudaError_t>(Error);
}

static cudaError_t takeError(bool Clear) {
  if (RefusedUnseen && LastError) {
    RefusedUnseen = false;
    refusedLaunchesWereSeen();
  }
  return static_cast<cudaError_t>(Clear && !Sticky ? LastError.exchange(0) : LastError.load());
}

static void setProperties(cudaDeviceProp *P) {
  *P = {};
  std::strcpy(P->name, "CUDA on the CPU (after NVIDIA H100)");
  P->totalGlobalMem = DeviceMemoryBytes;
  P->sharedMemPerBlock = 48 << 10;
  P->sharedMemPerBlockOptin = MaxSharedOptIn;
  P->sharedMemPerMultiprocessor = SharedPerMultiprocessor;
  P->reservedSharedMemPerBlock = ReservedShared;
  P->regsPerBlock = P->regsPerMultiprocessor = RegistersPerMultiprocessor;
  P->warpSize = 32;
  P->maxThreadsPerBlock = 1024;
  P->maxThreadsPerMultiProcessor = ThreadsPerMultiprocessor;
  P->maxBlocksPerMultiProcessor = BlocksPerMultiprocessor;
  P->multiProcessorCount = Multiprocessors;
  const int Block[] = {1024, 1024, 64}, Grid[] = {0x7fffffff, 65535, 65535};
  std::copy_n(Block, 3, P->maxThreadsDim);
  std::copy_n(Grid, 3, P->maxGridSize);
  P->totalConstMem = 64 << 10;
  P->major = 9;
  P->minor = 0;
  P->l2CacheSize = 50 << 20;
  P->persistingL2CacheMaxSize = 30 << 20;
  P->memoryBusWidth = 5120;
  P->memPitch = 0x7fffffff;
  P->concurrentKernels = P->asyncEngineCount = P->unifiedAddressing = P->managedMemory = 1;
  P->concurrentManagedAccess = P->pageableMemoryAccess = P->canMapHostMemory = 1;
  P->cooperativeLaunch = P->streamPrioritiesSupported = P->globalL1CacheSupported = 1;
  P->localL1CacheSupported = P->memoryPoolsSupported = 1;
}

static int attribute(cudaDeviceAttr A) {
  switch (A) {
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
    return 1024;
  case cudaDevAttrMaxBlockDimZ:
    return 64;
  case cudaDevAttrMaxGridDimX:
    return 0x7fffffff;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return 65535;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return 48 << 10;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return MaxSharedOptIn;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return SharedPerMultiprocessor;
  case cudaDevAttrReservedSharedMemoryPerBlock:
    return ReservedShared;
  case cudaDevAttrTotalConstantMemory:
    return 64 << 10;
  case cudaDevAttrWarpSize:
    return 32;
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    return RegistersPerMultiprocessor;
  case cudaDevAttrClockRate:
    return 1980000;
  case cudaDevAttrMemoryClockRate:
    return 2619000;
  case cudaDevAttrGlobalMemoryBusWidth:
    return 5120;
  case cudaDevAttrMultiProcessorCount:
    return Multiprocessors;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return ThreadsPerMultiprocessor;
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return BlocksPerMultiprocessor;
  case cudaDevAttrL2CacheSize:
    return 50 << 20;
  case cudaDevAttrComputeCapabilityMajor:
    return 9;
  case cudaDevAttrComputeCapabilityMinor:
    return 0;
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrStreamPrioritiesSupported:
  case cudaDevAttrMemoryPoolsSupported:
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrAsyncEngineCount:
    return 1;
  default:
    return 0;
  }
}

extern "C" {

cudaError_t cudaGetLastError() { return takeError(true); }
cudaError_t cudaPeekAtLastError() { return takeError(false); }

#define CUPEL_ERRORS(X)                                                                            \
  X(cudaSuccess, "no error")                                                                       \
  X(cudaErrorInvalidValue, "invalid argument")                                                     \
  X(cudaErrorMemoryAllocation, "out of memory")                                                    \
  X(cudaErrorInvalidConfiguration, "invalid configuration argument")                               \
  X(cudaErrorInvalidPitchValue, "invalid pitch argument")                                          \
  X(cudaErrorInvalidSymbol, "invalid device symbol")                                               \
  X(cudaErrorInvalidDevice, "invalid device ordinal")                                              \
  X(cudaErrorInvalidDeviceFunction, "invalid device function")                                     \
  X(cudaErrorInvalidResourceHandle, "invalid resource handle")                                     \
  X(cudaErrorNotReady, "device not ready")                                                         \
  X(cudaErrorNotSupported, "operation not supported")                                              \
  X(cudaErrorIllegalAddress, "an illegal memory access was encountered")                           \
  X(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch")                   \
  X(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region")

const char *cudaGetErrorString(cudaError_t E) {
  switch (E) {
#define CUPEL_TEXT(NAME, TEXT)                                                                     \
  case NAME:                                                                                       \
    return TEXT;
    CUPEL_ERRORS(CUPEL_TEXT)
  default:
    return "unrecognized error code";
  }
}
const char *cudaGetErrorName(cudaError_t E) {
  switch (E) {
#define CUPEL_NAME(NAME, TEXT)                                                                     \
  case NAME:                                                                                       \
    return #NAME;
    CUPEL_ERRORS(CUPEL_NAME)
  default:
    return "unrecognized error code";
  }
}

cudaError_t cudaGetDevice(int *D) { return *D = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int D) { return D == 0 ? cudaSuccess : fail(cudaErrorInvalidDevice); }
cudaError_t cudaGetDeviceCount(int *N) { return *N = 1, cudaSuccess; }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *P, int D) {
  if (D != 0)
    return fail(cudaErrorInvalidDevice);
  setProperties(P);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *V, cudaDeviceAttr A, int D) {
  return D == 0 ? (*V = attribute(A), cudaSuccess) : fail(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceSynchronize() { return sticky() ? fail(sticky()) : cudaSuccess; }
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaInitDevice(int, unsigned, unsigned) { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit L, size_t V) {
  if (L == cudaLimitMallocHeapSize)
    setHeapLimit(V);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t *V, cudaLimit L) {
  *V = L == cudaLimitStackSize ? 1024 : L == cudaLimitMallocHeapSize ? heapLimit() : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *C) {
  return *C = cudaFuncCachePreferNone, cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int *V) { return *V = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int *V) { return *V = CUDART_VERSION, cudaSuccess; }

cudaError_t cudaFuncSetAttribute(const void *F, cudaFuncAttribute A, int V) {
  if (A == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (V < 0 || static_cast<size_t>(V) > MaxSharedOptIn)
      return fail(cudaErrorInvalidValue);
    const std::lock_guard<std::mutex> Guard(kernels().Lock);
    kernels().Known[F].Attributes.MaxDynamicShared = V;
  }
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *A, const void *F) {
  *A = {};
  const unsigned Bound = registeredSite(F).MaxThreads;
  A->maxThreadsPerBlock = Bound ? static_cast<int>(Bound) : 1024;
  A->numRegs = 32;
  A->ptxVersion = A->binaryVersion = 90;
  A->maxDynamicSharedSizeBytes = static_cast<int>(kernelAttributes(F).MaxDynamicShared);
  return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *N, const void *, int Block,
                                                          size_t Shared) {
  if (Block <= 0)
    return fail(cudaErrorInvalidValue);
  *N = static_cast<int>(blocksPerMultiprocessor(Block, Shared));
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *N, const void *F, int Block,
                                                                   size_t Shared, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(N, F, Block, Shared);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *Bytes, const void *, int Blocks,
                                                      int) {
  if (Blocks <= 0)
    return fail(cudaErrorInvalidValue);
  *Bytes = std::min(MaxSharedOptIn, SharedPerMultiprocessor / Blocks - ReservedShared);
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *F, dim3 G, dim3 B, void **Arguments, size_t Shared,
                             cudaStream_t S) {
  return launchPointer(F, {{G.x, G.y, G.z}, {B.x, B.y, B.z}, Shared, S, false}, Arguments,
                       __builtin_return_address(0));
}
cudaError_t cudaLaunchCooperativeKernel(const void *F, dim3 G, dim3 B, void **Arguments,
                                        size_t Shared, cudaStream_t S) {
  return launchPointer(F, {{G.x, G.y, G.z}, {B.x, B.y, B.z}, Shared, S, true}, Arguments,
                       __builtin_return_address(0));
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *C, const void *F, void **Arguments) {
  bool Cooperative = false;
  for (unsigned I = 0; I < C->numAttrs; ++I)
    if (C->attrs[I].id == cudaLaunchAttributeCooperative)
      Cooperative = C->attrs[I].val.cooperative;
    else if (const auto &Cluster = C->attrs[I].val.clusterDim;
             C->attrs[I].id == cudaLaunchAttributeClusterDimension &&
             Cluster.x * Cluster.y * Cluster.z > 1)
      failKernel("not-emulated", "a launch with thread block clusters is not emulated");
  const dim3 G = C->gridDim, B = C->blockDim;
  return launchPointer(
      F, {{G.x, G.y, G.z}, {B.x, B.y, B.z}, C->dynamicSmemBytes, C->stream, Cooperative}, Arguments,
      __builtin_return_address(0));
}
}
