//===- Profile.cpp - the kernels of one call --------------------------------===//

#include "Profile.h"
#include "Operators.h"
#if CUPEL_HAVE_CUPTI
#include "Cupti/KernelTable.h"
#include <cuda_runtime_api.h>
#endif

using namespace cupel::worker;

static Json notMeasured(const std::string &Code, const std::string &Text) {
  return {{"state", "not_measured"}, {"reason", reason(Code, Text)}, {"kernels", Json::array()}};
}

#if CUPEL_HAVE_CUPTI

/// Calls whose kernels' times the median is taken of.
static constexpr size_t RecordedCalls = 5;

static CounterLevel levelOf(const std::string &Level) {
  return Level == "full" ? CounterLevel::Full : CounterLevel::Basic;
}

void cupel::worker::prepareProfile(const std::string &Level) {
  prepareCounting(countedMetrics(levelOf(Level)));
}

/// Adds counters to \p Table, or why there are none.
static void addCounters(KernelTable &Table, Device &Device, const ProfilePlan &Plan,
                        const std::function<void()> &Call) {
  try {
    if (Table.kernelLaunches() == 0)
      return;
    const CounterLevel Level = levelOf(Plan.Level);
    Table.addCounters(Level, countEachKernel(
                                 countedMetrics(Level), Table.kernelLaunches(),
                                 Plan.KernelReplay ? Replay::Kernel : Replay::Call,
                                 [&] { Device.flushCacheClean(); }, Call));
  } catch (const NotMeasured &E) {
    Table.setReason(reason(E.Code, E.what()));
  }
}

/// Of the submission's doing: its own library and those that came with it or by its calls.
static Json addedSince(const std::vector<std::string> &Before) {
  Json Added = Json::array();
  for (const std::string &File : loadedLibraries())
    if (std::find(Before.begin(), Before.end(), File) == Before.end())
      Added.push_back(File);
  return Added;
}

Json cupel::worker::profileCalls(Device &Device, const ProfilePlan &Plan,
                                 const std::function<void()> &Call) {
  if (!Device.isCuda())
    return notMeasured("no-cuda-device", "no CUDA device");
  cudaDeviceProp Properties;
  checkCuda(cudaGetDeviceProperties(&Properties, 0), "profile",
            "asking for the device's properties");
  KernelTable Table(Plan.Library, Properties);
  Json Operators;
  try {
    prepareProfile(Plan.Level);
    // The first call loads modules and makes library handles.
    Operators = operatorsDuring(Call);
    Device.synchronize();
    for (const std::vector<Activity> &Seen :
         recordActivity(RecordedCalls, [&] { Device.flushCache(); }, Call))
      Table.addCall(Seen);
  } catch (const NotMeasured &E) {
    return notMeasured(E.Code, E.what());
  }
  addCounters(Table, Device, Plan, Call);
  Device.synchronize();
  return {{"state", "measured"},
          {"reason", nullptr},
          {"launch_gaps_us", Table.launchGapsUs()},
          {"gpu_busy_us", Table.busyUs()},
          {"multiprocessors", Properties.multiProcessorCount},
          {"torch_operators", std::move(Operators)},
          {"libraries", addedSince(Plan.LibrariesBefore)},
          {"kernels", Table.toJson()}};
}

/// Sets \p Name to whether \p Try does not throw, with the reason.
template <typename F> static void feature(Json &Features, const std::string &Name, F Try) {
  try {
    Try();
    Features[Name] = true;
  } catch (const NotMeasured &E) {
    Features[Name] = false;
    Features[Name + "_reason"] = E.what();
  }
}

Json cupel::worker::profilingFeatures(Device &Device, bool Probe) {
  Json Features = Json::object();
  auto RequireGpu = [&] {
    if (!Device.isCuda())
      throw NotMeasured("no-cuda-device", "no CUDA device");
  };
  feature(Features, "cupti", [&] {
    RequireGpu();
    CuptiApi::get();
  });
  if (Probe)
    feature(Features, "counters", [&] {
      RequireGpu();
      probeCounters();
    });
  return Features;
}

#else

void cupel::worker::prepareProfile(const std::string &) {}

static const char *const LeftOut = "the worker was built with CUPEL_ENABLE_CUPTI=OFF";

Json cupel::worker::profileCalls(Device &Device, const ProfilePlan &,
                                 const std::function<void()> &) {
  return Device.isCuda() ? notMeasured("no-cupti", LeftOut)
                         : notMeasured("no-cuda-device", "no CUDA device");
}

Json cupel::worker::profilingFeatures(Device &, bool Probe) {
  Json Features = {{"cupti", false}, {"cupti_reason", LeftOut}};
  if (Probe) {
    Features["counters"] = false;
    Features["counters_reason"] = LeftOut;
  }
  return Features;
}

#endif
