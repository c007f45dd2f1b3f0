//===- Timing.cpp - latency of one call with a cold cache -------------------===//

#include "Timing.h"
#include <algorithm>
#include <c10/cuda/CUDAStream.h>
#include <chrono>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

using namespace cupel::worker;
using Clock = std::chrono::steady_clock;

static double microseconds(Clock::duration Time) {
  return std::chrono::duration<double, std::micro>(Time).count();
}

TimingPlan cupel::worker::parseTiming(const Json &Request) {
  TimingPlan Plan;
  Plan.Samples = field<int64_t>(Request, "samples");
  Plan.TimeLimitUs = field<double>(Request, "time_limit_us", 0);
  Plan.Warmup = field<int64_t>(Request, "warmup", 0);
  Plan.Warm = field<int64_t>(Request, "warm_samples", 0);
  if (Plan.Samples < 1 || Plan.Warmup < 0 || Plan.Warm < 0)
    throw WorkerError("request", "bad-request",
                      "'samples' must be at least 1, 'warmup' and 'warm_samples' at least 0");
  return Plan;
}

namespace {

class Event {
public:
  Event() { checkCuda(cudaEventCreate(&Handle), "time", "creating an event"); }
  ~Event() { cudaEventDestroy(Handle); }
  Event(const Event &) = delete;
  void record() {
    checkCuda(cudaEventRecord(Handle, c10::cuda::getCurrentCUDAStream()), "time",
              "recording an event");
  }
  double since(const Event &Start) const {
    float Milliseconds = 0;
    checkCuda(cudaEventElapsedTime(&Milliseconds, Start.Handle, Handle), "time",
              "reading an event");
    return 1e3 * static_cast<double>(Milliseconds);
  }

private:
  cudaEvent_t Handle = nullptr;
};

/// One sample: {event time, wall time}.
using Sample = std::pair<double, double>;

/// The cache flush is queued just before the call and not waited for. Launching takes the host a
/// few microseconds, during which the device still flushes, so that a kernel starts right after the
/// first event instead of after its launch; torch's and Triton's benchmarks do the same.
class CudaSampler {
public:
  Sample take(Device &Device, const TimedCall &Timed) {
    Sample Cold = takeAfter(Device, Timed, [&] { Device.flushCache(); });
    FlushUs = Start.since(Queued);
    return Cold;
  }

  /// Instead of the flush a kernel of one thread that only waits, for as long as the flush took, so
  /// that the launch is as well hidden and the cache stays as it is.
  Sample takeWarm(Device &Device, const TimedCall &Timed) {
    const auto Cycles = static_cast<int64_t>(std::min(FlushUs, MaxWaitUs) * CyclesPerUs);
    return takeAfter(Device, Timed, [&] { Wait(Cycles); });
  }
  bool canWarm() const { return Wait && FlushUs > 0 && CyclesPerUs > 0; }

private:
  template <typename F> Sample takeAfter(Device &Device, const TimedCall &Timed, F Before) {
    Device.synchronize();
    Clock::time_point HostStart = Clock::now();
    Queued.record();
    Before();
    Start.record();
    Timed.Call();
    End.record();
    Device.synchronize();
    double Host = microseconds(Clock::now() - HostStart);
    return {End.since(Start), Host - Start.since(Queued)};
  }

  static double cyclesPerUs() {
    int KiloHertz = 0;
    checkCuda(cudaDeviceGetAttribute(&KiloHertz, cudaDevAttrClockRate, 0), "time",
              "asking for the clock rate");
    return KiloHertz / 1e3;
  }

  static constexpr double MaxWaitUs = 200;
  Event Queued, Start, End;
  double FlushUs = 0;
  const double CyclesPerUs = cyclesPerUs();
  /// at::cuda::sleep(int64_t) of libtorch_cuda, which is loaded when a GPU is there, not linked.
  void (*const Wait)(int64_t) = reinterpret_cast<void (*)(int64_t)>(dlsym(RTLD_DEFAULT,
                                                                          "_ZN2at4cuda5sleepEl"));
};

class CpuSampler {
public:
  Sample take(Device &Device, const TimedCall &Timed) {
    Device.flushCache();
    Clock::time_point Start = Clock::now();
    Timed.Call();
    double Time = microseconds(Clock::now() - Start);
    return {Time, Time};
  }
  /// There is no flush to leave out.
  Sample takeWarm(Device &Device, const TimedCall &Timed) { return take(Device, Timed); }
  bool canWarm() const { return true; }
};

/// Before the cold samples, so that the last call of all stays a cold one with the seed's values:
/// the one whose outputs are compared.
template <typename Sampler>
std::vector<double> takeWarmSamples(Sampler &Take, Device &Device, const TimingPlan &Plan,
                                    const TimedCall &Timed) {
  std::vector<double> Result;
  if (!Take.canWarm())
    return Result;
  Clock::time_point Begin = Clock::now();
  for (int64_t I = 0; I < Plan.Warm; ++I) {
    if (I > 0 && Plan.TimeLimitUs > 0 && microseconds(Clock::now() - Begin) > Plan.TimeLimitUs / 10)
      break;
    Timed.Prepare(false);
    Result.push_back(Take.takeWarm(Device, Timed).first);
  }
  return Result;
}

template <typename Sampler>
TimingSamples timeWith(Device &Device, const TimingPlan &Plan, const TimedCall &Timed) {
  Sampler Take;
  for (int64_t I = 0; I < Plan.Warmup; ++I) {
    Timed.Prepare(false);
    Take.take(Device, Timed);
  }
  TimingSamples Result;
  Result.WarmUs = takeWarmSamples(Take, Device, Plan, Timed);
  Clock::time_point Begin = Clock::now();
  for (bool Last = false; !Last;) {
    auto Count = static_cast<int64_t>(Result.DeviceUs.size());
    bool Late = Plan.TimeLimitUs > 0 && microseconds(Clock::now() - Begin) > Plan.TimeLimitUs;
    Last = Late || Count + 1 >= Plan.Samples;
    Result.StoppedByTime = Late && Count + 1 < Plan.Samples;
    Timed.Prepare(Last);
    auto [OnDevice, OnHost] = Take.take(Device, Timed);
    Result.DeviceUs.push_back(OnDevice);
    Result.HostUs.push_back(OnHost);
  }
  return Result;
}

} // namespace

TimingSamples cupel::worker::timeCalls(Device &Device, const TimingPlan &Plan,
                                       const TimedCall &Timed) {
  return Device.isCuda() ? timeWith<CudaSampler>(Device, Plan, Timed)
                         : timeWith<CpuSampler>(Device, Plan, Timed);
}

Json cupel::worker::toJson(const TimingSamples &Samples) {
  return {{"samples_us", Samples.DeviceUs},
          {"host_us", Samples.HostUs},
          {"warm_us", Samples.WarmUs},
          {"stopped_by", Samples.StoppedByTime ? "time" : "samples"}};
}
