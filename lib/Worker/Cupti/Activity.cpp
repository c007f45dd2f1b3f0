//===- Activity.cpp - what ran on the device during a call ------------------===//

#include "Activity.h"
#include <algorithm>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <map>
#include <mutex>

using namespace cupel::worker;

namespace {

/// CUPTI's callbacks have no argument of ours, so one recording at a time is reachable from here.
struct Recording {
  std::mutex Lock; ///< CUPTI calls from a thread of its own.
  std::vector<Activity> Seen;
  std::map<uint32_t, std::string> Callers; ///< By correlation id.

  void forget() {
    std::lock_guard Guard(Lock);
    Seen.clear();
    Callers.clear();
  }
};
Recording *Current = nullptr;

//===----------------------------------------------------------------------===//
// Activity records
//===----------------------------------------------------------------------===//

/// CUPTI's guide advises 1 to 10 MB; it asks for as many buffers as it fills.
constexpr size_t BufferSize = size_t(1) << 20;

void CUPTIAPI giveBuffer(uint8_t **Buffer, size_t *Size, size_t *MaxRecords) {
  *Buffer = static_cast<uint8_t *>(std::aligned_alloc(8, BufferSize));
  *Size = *Buffer ? BufferSize : 0;
  *MaxRecords = 0;
}

Activity kernel(const CUpti_ActivityKernel10 &Record) {
  Activity Result;
  Result.Name = Record.name ? Record.name : "";
  Result.Correlation = Record.correlationId;
  Result.Start = Record.start;
  Result.End = Record.end;
  auto Unsigned = [](int32_t Value) { return static_cast<unsigned>(Value); };
  Result.Grid = {Unsigned(Record.gridX), Unsigned(Record.gridY), Unsigned(Record.gridZ)};
  Result.Block = {Unsigned(Record.blockX), Unsigned(Record.blockY), Unsigned(Record.blockZ)};
  Result.Registers = Record.registersPerThread;
  Result.StaticShared = Unsigned(Record.staticSharedMemory);
  Result.DynamicShared = Unsigned(Record.dynamicSharedMemory);
  Result.LocalBytes = Record.localMemoryPerThread;
  return Result;
}

template <typename T> Activity transfer(const T &Record, Activity::Kind Kind, const char *Name) {
  Activity Result;
  Result.What = Kind;
  Result.Name = Name;
  Result.Correlation = Record.correlationId;
  Result.Start = Record.start;
  Result.End = Record.end;
  return Result;
}

void keep(Recording &Into, const CUpti_Activity *Record) {
  switch (Record->kind) {
  case CUPTI_ACTIVITY_KIND_KERNEL:
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    Into.Seen.push_back(kernel(*reinterpret_cast<const CUpti_ActivityKernel10 *>(Record)));
    break;
  case CUPTI_ACTIVITY_KIND_MEMCPY:
    Into.Seen.push_back(transfer(*reinterpret_cast<const CUpti_ActivityMemcpy6 *>(Record),
                                 Activity::Kind::Memcpy, "memcpy"));
    break;
  case CUPTI_ACTIVITY_KIND_MEMSET:
    Into.Seen.push_back(transfer(*reinterpret_cast<const CUpti_ActivityMemset4 *>(Record),
                                 Activity::Kind::Memset, "memset"));
    break;
  default:
    break;
  }
}

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t *Buffer, size_t, size_t ValidSize) {
  if (Current) {
    std::lock_guard Guard(Current->Lock);
    CUpti_Activity *Record = nullptr;
    while (CuptiApi::get().cuptiActivityGetNextRecord(Buffer, ValidSize, &Record) == CUPTI_SUCCESS)
      keep(*Current, Record);
  }
  std::free(Buffer);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

constexpr CUpti_CallbackId RuntimeLaunches[] = {
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_v9000,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_ptsz_v9000,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
    CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_ptsz_v11060,
#if CUDA_VERSION >= 13000
    CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_v13000, // What <<<>>> becomes since CUDA 13.
    CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_ptsz_v13000,
#endif
};
constexpr CUpti_CallbackId DriverLaunches[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
};

/// Whether \p File is CUDA itself, which every launch passes through.
bool isCudaItself(const std::string &File) {
  std::string Name = File.substr(File.rfind('/') + 1);
  return Name.starts_with("libcupti") || Name.starts_with("libcudart") ||
         Name.starts_with("libcuda.so");
}

/// File of the innermost frame on this thread's stack that is neither CUDA's nor the worker's own.
/// The launch's arguments do not tell: since CUDA 13 they hold a handle instead of the stub's
/// address, and cuBLAS uses the driver's API.
std::string callingFile() {
  Dl_info Own{}, Info{};
  dladdr(reinterpret_cast<void *>(&callingFile), &Own);
  void *Frames[48];
  int Count = backtrace(Frames, static_cast<int>(std::size(Frames)));
  for (int I = 0; I < Count; ++I)
    if (dladdr(Frames[I], &Info) && Info.dli_fname && Info.dli_fbase != Own.dli_fbase &&
        !isCudaItself(Info.dli_fname))
      return Info.dli_fname;
  return "";
}

void CUPTIAPI seeLaunch(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *Data) {
  auto *Call = static_cast<const CUpti_CallbackData *>(Data);
  if (!Current || Call->callbackSite != CUPTI_API_ENTER)
    return;
  std::string Caller = callingFile();
  std::lock_guard Guard(Current->Lock);
  Current->Callers.try_emplace(Call->correlationId, std::move(Caller));
}

/// Watches launches while it lives. A process can have one subscriber only; when another tool is it
/// (a profiler around cupel), provenance falls back to names.
class LaunchWatch {
public:
  explicit LaunchWatch(const CuptiApi &Api) : Api(Api) {
    if (Api.cuptiSubscribe(&Subscriber, seeLaunch, nullptr) != CUPTI_SUCCESS)
      return;
    Subscribed = true;
    for (CUpti_CallbackId Id : RuntimeLaunches)
      Api.cuptiEnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, Id);
    for (CUpti_CallbackId Id : DriverLaunches)
      Api.cuptiEnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_DRIVER_API, Id);
  }
  ~LaunchWatch() {
    if (Subscribed)
      Api.cuptiUnsubscribe(Subscriber);
  }

private:
  const CuptiApi &Api;
  CUpti_SubscriberHandle Subscriber = nullptr;
  bool Subscribed = false;
};

constexpr CUpti_ActivityKind Kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                        CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};

/// Switches the records on while it lives.
class ActivityWatch {
public:
  ActivityWatch(const CuptiApi &Api, Recording &Into) : Api(Api) {
    Current = &Into;
    Api.check(Api.cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer),
              "registering CUPTI's buffers");
    for (CUpti_ActivityKind Kind : Kinds)
      Api.check(Api.cuptiActivityEnable(Kind), "enabling CUPTI's activity records");
  }
  ~ActivityWatch() {
    for (CUpti_ActivityKind Kind : Kinds)
      Api.cuptiActivityDisable(Kind);
    Api.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    Current = nullptr;
  }

private:
  const CuptiApi &Api;
};

} // namespace

/// The records in the order of the launches, each with who asked for it.
static std::vector<Activity> inOrder(Recording &From) {
  for (Activity &Seen : From.Seen)
    if (auto It = From.Callers.find(Seen.Correlation); It != From.Callers.end())
      Seen.Caller = It->second;
  // Correlation ids count up with the calls of the host; a graph's kernels share one.
  std::stable_sort(From.Seen.begin(), From.Seen.end(), [](const Activity &A, const Activity &B) {
    return std::pair(A.Correlation, A.Start) < std::pair(B.Correlation, B.Start);
  });
  return std::move(From.Seen);
}

std::vector<std::vector<Activity>>
cupel::worker::recordActivity(size_t Calls, const std::function<void()> &Prepare,
                              const std::function<void()> &Call) {
  const CuptiApi &Api = CuptiApi::get();
  Recording Into;
  std::vector<std::vector<Activity>> Result;
  ActivityWatch Records(Api, Into);
  LaunchWatch Launches(Api);
  auto Settle = [&] {
    cudaDeviceSynchronize();
    Api.check(Api.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
              "flushing CUPTI's buffers");
  };
  while (Result.size() < Calls) {
    Prepare();
    Settle();
    Into.forget();
    Call();
    Settle();
    Result.push_back(inOrder(Into));
  }
  return Result;
}
