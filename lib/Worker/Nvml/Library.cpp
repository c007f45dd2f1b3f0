//===- Library.cpp - NVML, loaded when it is asked for ----------------------===//

#include "Library.h"
#include <dlfcn.h>

using namespace cupel::worker;

namespace {

// The values of NVML's enumerations and the functions' types, from its reference manual; they are
// part of its binary interface.
using Status = int; // nvmlReturn_t
constexpr Status Success = 0;
constexpr int SmClock = 1;               // NVML_CLOCK_SM
constexpr int CoreTemperatureSensor = 0; // NVML_TEMPERATURE_GPU

struct NvmlApi {
  Status (*Init)() = nullptr;
  const char *(*ErrorString)(Status) = nullptr;
  Status (*HandleByPciBusId)(const char *, void **) = nullptr;
  Status (*ClockInfo)(void *, int, unsigned *) = nullptr;
  Status (*Temperature)(void *, int, unsigned *) = nullptr;
  Status (*EventReasons)(void *, unsigned long long *) = nullptr;

  void check(Status Result, const char *What) const {
    if (Result != Success)
      throw WorkerError("clocks", "nvml-error", std::string(What) + ": " + ErrorString(Result));
  }
};

NvmlApi load() {
  constexpr const char *Name = "libnvidia-ml.so.1";
  void *Library = dlopen(Name, RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    throw WorkerError("clocks", "no-nvml", dlerror());
  auto Find = [&](auto &Function, std::initializer_list<const char *> Names) {
    for (const char *One : Names)
      if (void *Found = dlsym(Library, One)) {
        Function = reinterpret_cast<std::remove_reference_t<decltype(Function)>>(Found);
        return;
      }
    throw WorkerError("clocks", "no-nvml",
                      std::string(Name) + " has no function " + *Names.begin());
  };
  NvmlApi Api;
  Find(Api.Init, {"nvmlInit_v2"});
  Find(Api.ErrorString, {"nvmlErrorString"});
  Find(Api.HandleByPciBusId, {"nvmlDeviceGetHandleByPciBusId_v2"});
  Find(Api.ClockInfo, {"nvmlDeviceGetClockInfo"});
  Find(Api.Temperature, {"nvmlDeviceGetTemperature"});
  // The same function under the name that it had before the driver 535.
  Find(Api.EventReasons,
       {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  Api.check(Api.Init(), "starting NVML");
  return Api;
}

const NvmlApi &api() {
  static const NvmlApi Api = load();
  return Api;
}

} // namespace

NvmlDevice NvmlDevice::open(const std::string &PciBusId) {
  void *Handle = nullptr;
  api().check(api().HandleByPciBusId(PciBusId.c_str(), &Handle), "asking for the device");
  return NvmlDevice(Handle);
}

ClockReading NvmlDevice::read() const {
  ClockReading Now;
  api().check(api().ClockInfo(Handle, SmClock, &Now.SmMhz), "reading the SM clock");
  api().check(api().EventReasons(Handle, &Now.EventReasons), "reading why clocks are held back");
  api().check(api().Temperature(Handle, CoreTemperatureSensor, &Now.TemperatureC),
              "reading the temperature");
  return Now;
}
