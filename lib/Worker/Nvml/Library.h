//===- Library.h - NVML, loaded when it is asked for ------------------------===//
//
// The driver brings libnvidia-ml.so.1, and the toolkit that we build with need not have its header,
// so the five functions are declared here, as NVML's reference manual has them. A machine without
// it is one where clocks are `not measured (reason)`.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_NVML_LIBRARY_H
#define CUPEL_WORKER_NVML_LIBRARY_H

#include "../WorkerError.h"
#include <string>

namespace cupel::worker {

/// One look at the device.
struct ClockReading {
  unsigned SmMhz = 0;
  unsigned TemperatureC = 0;
  /// nvmlClocksEventReason* bits: why the clock is not higher.
  unsigned long long EventReasons = 0;
};

/// A device as NVML knows it.
class NvmlDevice {
public:
  /// \p PciBusId as cudaDeviceGetPCIBusId spells it: NVML and CUDA number devices differently.
  /// Throws `no-nvml` or `nvml-error` with the reason.
  static NvmlDevice open(const std::string &PciBusId);

  /// Throws `nvml-error`.
  ClockReading read() const;

private:
  explicit NvmlDevice(void *Handle) : Handle(Handle) {}
  void *Handle;
};

} // namespace cupel::worker

#endif // CUPEL_WORKER_NVML_LIBRARY_H
