//===- ClockWatch.h - the clocks while something else is timed --------------===//
#ifndef CUPEL_WORKER_NVML_CLOCKWATCH_H
#define CUPEL_WORKER_NVML_CLOCKWATCH_H

#include "../Device.h"
#include "Library.h"
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace cupel::worker {

/// Reads the device's clocks every few milliseconds, on a thread of its own, between start() and
/// stop(). Lives in the judge, so that a submission cannot make readings up; the device is the
/// same.
class ClockWatch {
public:
  ~ClockWatch();

  /// `state` and `reason`; begins to read when there is something to read from.
  Json start(Device &Device);
  /// The same, and what was read since start(): `sm_mhz`, `temperature_c` and `event_reasons`, one
  /// of each a reading.
  Json stop();

private:
  void run();
  void end();
  Json state() const;

  std::optional<NvmlDevice> Source;
  Json Why; ///< Null, or why nothing is read.
  std::vector<ClockReading> Readings;
  std::thread Reader;
  std::mutex Lock;
  std::condition_variable Changed;
  bool Ending = false;
};

/// Whether clocks can be read: {`clocks`, `clocks_reason`} for the features of `hello`.
void addClockFeature(Device &Device, Json &Features);

} // namespace cupel::worker

#endif // CUPEL_WORKER_NVML_CLOCKWATCH_H
