//===- Device.h - where a run takes place: the CPU or a GPU -----------------===//
//
// All that the worker does with CUDA's runtime outside Receive, Timing and Cupti. Nothing here
// touches CUDA before a run asks for the device `cuda`: its context costs a third of a second, and
// machines without a GPU have none.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_DEVICE_H
#define CUPEL_WORKER_DEVICE_H

#include "Protocol.h"
#include <c10/core/Device.h>
#include <memory>
#include <optional>
#include <string>

namespace cupel::worker {

class Device {
public:
  /// \p Kind is `cuda`, `cpu` or `emulated`. Throws `device-unavailable` with the reason.
  static std::unique_ptr<Device> open(const std::string &Kind);
  virtual ~Device() = default;

  virtual c10::Device torch() const = 0;
  /// Whether there is a GPU behind it.
  bool isCuda() const { return torch().is_cuda() && !isEmulated(); }
  /// Whether the CPU plays it: see Emulation/.
  virtual bool isEmulated() const { return false; }
  /// Where random values come from; judge and candidate must agree.
  virtual c10::Device drawsOn() const { return torch(); }

  /// Before a call of the submission: \p Seed shuffles what a GPU leaves open. Only of an emulated
  /// device.
  virtual void beginCall(uint64_t) {}
  /// What kernels did since beginCall() that a GPU would hide: the `emulation_errors` of
  /// docs/protocol.md.
  virtual Json errors() { return Json::array(); }
  /// The kernels that ran since beginCall(): `emulation_kernels` of docs/protocol.md.
  virtual Json kernels() { return Json::array(); }

  /// Waits until the device has nothing to do, over all streams. Throws `cuda-error` for an error
  /// that any call since the last synchronize() left behind.
  virtual void synchronize() = 0;
  /// Whether the context is lost, so that only a new process can go on.
  virtual bool isBroken() = 0;

  /// Queues a write of twice the last-level cache, so that what runs next finds it cold.
  virtual void flushCache() = 0;
  /// The same, and leaves no line that the device would still have to write to memory, so that the
  /// next kernel's traffic is its own.
  virtual void flushCacheClean() { flushCache(); }
  /// Gives the allocator's free memory back to the device.
  virtual void emptyCache() = 0;
  virtual int64_t freeBytes() = 0;
  /// Forgets the peak so far: what is in use now is the least that peakBytes() will say.
  virtual void resetPeakBytes() {}
  /// The most bytes that tensors held at one time; nothing where nobody counts them.
  virtual std::optional<int64_t> peakBytes() { return std::nullopt; }

  /// Where the GPU is, as cudaDeviceGetPCIBusId spells it; empty without one.
  virtual std::string pciBusId() { return ""; }

  /// The device's fields of the reply of `hello`.
  virtual Json info() = 0;
};

/// Throws `cuda-error` with \p Stage unless \p Error, a cudaError_t, is success.
void checkCuda(int Error, const char *Stage, const char *What);

/// Throws `out-of-memory` when \p Device has less than \p Bytes free for \p What.
void requireMemory(Device &Device, int64_t Bytes, const std::string &What);

/// `1.5 GiB`.
std::string bytesText(int64_t Bytes);

} // namespace cupel::worker

#endif // CUPEL_WORKER_DEVICE_H
