//===- RangeProfiler.cpp - hardware counters, kernel by kernel --------------===//
//
// The order of calls is that of CUPTI's documentation, "Range Profiling API". Auto ranges make each
// kernel a range.
//
//===----------------------------------------------------------------------===//

#include "RangeProfiler.h"
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <future>
#include <limits>
#include <map>
#include <memory>

using namespace cupel::worker;

/// A parameter structure with its size in it, as every call wants it.
#define CUPEL_PARAMS(Type)                                                                         \
  Type##_Params Params{};                                                                          \
  Params.structSize = Type##_Params_STRUCT_SIZE

namespace {

CUcontext currentContext() {
  cudaFree(nullptr); // Makes the context if there is none yet.
  // Through dlopen: on a machine without a driver there is nothing to link.
  void *Driver = dlopen("libcuda.so.1", RTLD_NOW);
  using GetCurrent = int(CUcontext *);
  auto *Get = Driver ? reinterpret_cast<GetCurrent *>(dlsym(Driver, "cuCtxGetCurrent")) : nullptr;
  CUcontext Context = nullptr;
  if (!Get || Get(&Context) != 0 || !Context)
    throw NotMeasured("cupti-error", "there is no CUDA context");
  return Context;
}

//===----------------------------------------------------------------------===//
// The profiler's two halves
//===----------------------------------------------------------------------===//

/// cuptiProfilerInitialize, undone at the end.
class Session {
public:
  Session() : Api(CuptiApi::get()) {
    CUPEL_PARAMS(CUpti_Profiler_Initialize);
    Api.check(Api.cuptiProfilerInitialize(&Params), "starting CUPTI's profiler");
  }
  ~Session() {
    CUPEL_PARAMS(CUpti_Profiler_DeInitialize);
    Api.cuptiProfilerDeInitialize(&Params);
  }

private:
  const CuptiApi &Api;
};

std::string chipName() {
  const CuptiApi &Api = CuptiApi::get();
  CUPEL_PARAMS(CUpti_Device_GetChipName);
  Api.check(Api.cuptiDeviceGetChipName(&Params), "asking for the chip's name");
  return Params.pChipName;
}

std::vector<uint8_t> availableCounters(CUcontext Context) {
  const CuptiApi &Api = CuptiApi::get();
  CUPEL_PARAMS(CUpti_Profiler_GetCounterAvailability);
  Params.ctx = Context;
  Api.check(Api.cuptiProfilerGetCounterAvailability(&Params), "asking which counters there are");
  std::vector<uint8_t> Image(Params.counterAvailabilityImageSize);
  Params.pCounterAvailabilityImage = Image.data();
  Api.check(Api.cuptiProfilerGetCounterAvailability(&Params), "asking which counters there are");
  return Image;
}

/// What knows the chip's metrics: makes the configuration, and values out of what was counted.
class Host {
public:
  /// \p Available: of the device, from availableCounters(); empty: all that the chip has.
  Host(std::string ChipName, std::vector<uint8_t> CountersThere)
      : Api(CuptiApi::get()), Chip(std::move(ChipName)), Available(std::move(CountersThere)) {
    CUPEL_PARAMS(CUpti_Profiler_Host_Initialize);
    Params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    Params.pChipName = Chip.c_str();
    Params.pCounterAvailabilityImage = Available.empty() ? nullptr : Available.data();
    Api.check(Api.cuptiProfilerHostInitialize(&Params), "preparing counters");
    Object = Params.pHostObject;
  }
  ~Host() {
    CUPEL_PARAMS(CUpti_Profiler_Host_Deinitialize);
    Params.pHostObject = Object;
    Api.cuptiProfilerHostDeinitialize(&Params);
  }
  Host(const Host &) = delete;

  std::vector<uint8_t> configuration(std::vector<const char *> Metrics) {
    {
      CUPEL_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics);
      Params.pHostObject = Object;
      Params.ppMetricNames = Metrics.data();
      Params.numMetrics = Metrics.size();
      Api.check(Api.cuptiProfilerHostConfigAddMetrics(&Params), "choosing metrics");
    }
    std::vector<uint8_t> Image;
    {
      CUPEL_PARAMS(CUpti_Profiler_Host_GetConfigImageSize);
      Params.pHostObject = Object;
      Api.check(Api.cuptiProfilerHostGetConfigImageSize(&Params), "configuring counters");
      Image.resize(Params.configImageSize);
    }
    CUPEL_PARAMS(CUpti_Profiler_Host_GetConfigImage);
    Params.pHostObject = Object;
    Params.configImageSize = Image.size();
    Params.pConfigImage = Image.data();
    Api.check(Api.cuptiProfilerHostGetConfigImage(&Params), "configuring counters");
    return Image;
  }

  CounterValues evaluate(const std::vector<uint8_t> &Counted, size_t Range,
                         std::vector<const char *> Metrics) {
    CounterValues Values(Metrics.size());
    CUPEL_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues);
    Params.pHostObject = Object;
    Params.pCounterDataImage = Counted.data();
    Params.counterDataImageSize = Counted.size();
    Params.rangeIndex = Range;
    Params.ppMetricNames = Metrics.data();
    Params.numMetrics = Metrics.size();
    Params.pMetricValues = Values.data();
    Api.check(Api.cuptiProfilerHostEvaluateToGpuValues(&Params), "working out the metrics");
    return Values;
  }

  size_t passes(std::vector<uint8_t> Configuration) {
    CUPEL_PARAMS(CUpti_Profiler_Host_GetNumOfPasses);
    Params.configImageSize = Configuration.size();
    Params.pConfigImage = Configuration.data();
    Api.check(Api.cuptiProfilerHostGetNumOfPasses(&Params), "asking for the number of passes");
    return Params.numOfPasses;
  }

private:
  const CuptiApi &Api;
  // CUPTI 13.0 keeps the pointers that it is given and reads them when metrics are added.
  std::string Chip;
  std::vector<uint8_t> Available;
  CUpti_Profiler_Host_Object *Object = nullptr;
};

/// How a chip counts some metrics.
class CountingPlan {
public:
  /// \p Metrics that the chip lacks are left out: stall reasons, for one, come and go with
  /// architectures.
  CountingPlan(const std::string &ChipName, const std::vector<uint8_t> &Available,
               const std::vector<const char *> &Metrics)
      : Chip(std::make_unique<Host>(ChipName, Available)) {
    if (configure(Metrics))
      return;
    std::vector<const char *> Some;
    for (const char *Metric : Metrics) {
      Chip = std::make_unique<Host>(ChipName, Available);
      if (configure({Metric}))
        Some.push_back(Metric);
    }
    if (Some.empty())
      return;
    Chip = std::make_unique<Host>(ChipName, Available);
    Configuration = Chip->configuration(Some);
    Known = std::move(Some);
  }

  /// Those of the metrics that the chip has, in their order.
  std::vector<const char *> Known;
  std::vector<uint8_t> Configuration;
  std::unique_ptr<Host> Chip;

private:
  bool configure(const std::vector<const char *> &Metrics) {
    try {
      Configuration = Chip->configuration(Metrics);
      Known = Metrics;
      return true;
    } catch (const NotMeasured &) {
      return false;
    }
  }
};

/// \p Values of \p Known in the order of \p Metrics, NaN for the others.
CounterValues inOrder(const std::vector<const char *> &Metrics,
                      const std::vector<const char *> &Known, const CounterValues &Values) {
  CounterValues Result(Metrics.size(), std::numeric_limits<double>::quiet_NaN());
  for (size_t I = 0, Next = 0; I < Metrics.size() && Next < Known.size(); ++I)
    if (Metrics[I] == Known[Next])
      Result[I] = Values[Next++];
  return Result;
}

/// A plan and what must be there as long as it is used.
struct PreparedPlan {
  explicit PreparedPlan(const std::vector<const char *> &Metrics)
      : Plan(chipName(), availableCounters(currentContext()), Metrics) {}
  Session Profiler;
  CountingPlan Plan;
};

/// Starting the profiler takes CUPTI 0.09 s, reading the chip's description and working out the
/// passes 0.13 s (H200), so that a process does it once, and beside what comes before the counters.
std::shared_future<std::shared_ptr<PreparedPlan>> planFor(std::vector<const char *> Metrics) {
  using Future = std::shared_future<std::shared_ptr<PreparedPlan>>;
  // Never destroyed: CUPTI may be gone by then.
  static auto *Plans = new std::map<std::vector<const char *>, Future>;
  Future &Plan = (*Plans)[Metrics];
  if (!Plan.valid())
    Plan = std::async(std::launch::async, [Metrics] {
             return std::make_shared<PreparedPlan>(Metrics);
           }).share();
  return Plan;
}

/// What counts on the device.
class Target {
public:
  explicit Target(CUcontext Context) : Api(CuptiApi::get()) {
    CUPEL_PARAMS(CUpti_RangeProfiler_Enable);
    Params.ctx = Context;
    Api.check(Api.cuptiRangeProfilerEnable(&Params), "asking the driver for counters");
    Object = Params.pRangeProfilerObject;
  }
  ~Target() {
    CUPEL_PARAMS(CUpti_RangeProfiler_Disable);
    Params.pRangeProfilerObject = Object;
    Api.cuptiRangeProfilerDisable(&Params);
  }
  Target(const Target &) = delete;

  /// Room for \p Ranges ranges of \p Metrics.
  std::vector<uint8_t> room(std::vector<const char *> Metrics, size_t Ranges) {
    std::vector<uint8_t> Image;
    {
      CUPEL_PARAMS(CUpti_RangeProfiler_GetCounterDataSize);
      Params.pRangeProfilerObject = Object;
      Params.pMetricNames = Metrics.data();
      Params.numMetrics = Metrics.size();
      Params.maxNumOfRanges = Ranges;
      Params.maxNumRangeTreeNodes = static_cast<uint32_t>(Ranges);
      Api.check(Api.cuptiRangeProfilerGetCounterDataSize(&Params), "making room for counters");
      Image.resize(Params.counterDataSize);
    }
    CUPEL_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize);
    Params.pRangeProfilerObject = Object;
    Params.counterDataSize = Image.size();
    Params.pCounterData = Image.data();
    Api.check(Api.cuptiRangeProfilerCounterDataImageInitialize(&Params),
              "making room for counters");
    return Image;
  }

  void configure(const std::vector<uint8_t> &Configuration, std::vector<uint8_t> &Room,
                 size_t Ranges, Replay How) {
    CUPEL_PARAMS(CUpti_RangeProfiler_SetConfig);
    Params.pRangeProfilerObject = Object;
    Params.configSize = Configuration.size();
    Params.pConfig = Configuration.data();
    Params.counterDataImageSize = Room.size();
    Params.pCounterDataImage = Room.data();
    Params.range = CUPTI_AutoRange;
    Params.replayMode = How == Replay::Call ? CUPTI_UserReplay : CUPTI_KernelReplay;
    Params.maxRangesPerPass = Ranges;
    Params.numNestingLevels = 1;
    Params.minNestingLevel = 1;
    Params.passIndex = 0;
    Params.targetNestingLevel = 1;
    Api.check(Api.cuptiRangeProfilerSetConfig(&Params), "configuring counters");
  }

  void start() {
    CUPEL_PARAMS(CUpti_RangeProfiler_Start);
    Params.pRangeProfilerObject = Object;
    Api.check(Api.cuptiRangeProfilerStart(&Params), "starting counters");
  }

  /// Returns whether that was the last pass.
  bool stop() {
    CUPEL_PARAMS(CUpti_RangeProfiler_Stop);
    Params.pRangeProfilerObject = Object;
    Api.check(Api.cuptiRangeProfilerStop(&Params), "stopping counters");
    return Params.isAllPassSubmitted != 0;
  }

  void decode() {
    CUPEL_PARAMS(CUpti_RangeProfiler_DecodeData);
    Params.pRangeProfilerObject = Object;
    Api.check(Api.cuptiRangeProfilerDecodeData(&Params), "reading counters");
    if (Params.numOfRangeDropped > 0)
      throw NotMeasured("other-launches", "the counted call launched " +
                                              std::to_string(Params.numOfRangeDropped) +
                                              " kernels more than the one before");
  }

  size_t rangeCount(const std::vector<uint8_t> &Counted) {
    CUPEL_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo);
    Params.pCounterDataImage = Counted.data();
    Params.counterDataImageSize = Counted.size();
    Api.check(Api.cuptiRangeProfilerGetCounterDataInfo(&Params), "reading counters");
    return Params.numTotalRanges;
  }

private:
  const CuptiApi &Api;
  CUpti_RangeProfiler_Object *Object = nullptr;
};

/// Runs passes until CUPTI has all that it needs.
void countInPasses(Target &Counters, size_t Passes, const std::function<void()> &Prepare,
                   const std::function<void()> &Call) {
  for (size_t Pass = 0; Pass < Passes; ++Pass) {
    Prepare();
    cudaDeviceSynchronize();
    Counters.start();
    Call();
    cudaDeviceSynchronize();
    if (Counters.stop())
      return;
  }
  throw NotMeasured("cupti-error",
                    "the counters were not complete after " + std::to_string(Passes) + " passes");
}

} // namespace

void cupel::worker::prepareCounting(const std::vector<const char *> &Metrics) { planFor(Metrics); }

std::vector<CounterValues> cupel::worker::countEachKernel(const std::vector<const char *> &Metrics,
                                                          size_t Kernels, Replay How,
                                                          const std::function<void()> &Prepare,
                                                          const std::function<void()> &Call) {
  const std::shared_ptr<PreparedPlan> Prepared = planFor(Metrics).get();
  const CountingPlan &Plan = Prepared->Plan;
  const std::vector<const char *> &Known = Plan.Known;
  Host &Chip = *Plan.Chip;
  const std::vector<uint8_t> &Configuration = Plan.Configuration;
  if (Known.empty())
    throw NotMeasured("no-metrics", chipName() + " has none of the metrics that were asked for");
  std::vector<uint8_t> Counted;
  size_t Ranges = 0;
  {
    Target Counters(currentContext());
    Counted = Counters.room(Known, Kernels);
    Counters.configure(Configuration, Counted, Kernels, How);
    countInPasses(Counters, Chip.passes(Configuration), Prepare, Call);
    Counters.decode();
    Ranges = Counters.rangeCount(Counted);
  }
  std::vector<CounterValues> Result;
  for (size_t Range = 0; Range < Ranges; ++Range)
    Result.push_back(inOrder(Metrics, Known, Chip.evaluate(Counted, Range, Known)));
  return Result;
}

std::vector<const char *> cupel::worker::metricsOn(const std::string &Chip,
                                                   const std::vector<const char *> &Metrics) {
  return CountingPlan(Chip, {}, Metrics).Known;
}

size_t cupel::worker::passesOn(const std::string &Chip, const std::vector<const char *> &Metrics) {
  Host Known(Chip, {});
  return Known.passes(Known.configuration(Metrics));
}

void cupel::worker::probeCounters() {
  // Taking one counter, since some drivers refuse only when counting starts.
  std::vector<const char *> Metrics = {"gpu__time_duration.sum"};
  CUcontext Context = currentContext();
  Session Profiler;
  Host Chip(chipName(), availableCounters(Context));
  std::vector<uint8_t> Configuration = Chip.configuration(Metrics);
  Target Counters(Context);
  std::vector<uint8_t> Room = Counters.room(Metrics, 1);
  Counters.configure(Configuration, Room, 1, Replay::Call);
  Counters.start();
  Counters.stop();
}
