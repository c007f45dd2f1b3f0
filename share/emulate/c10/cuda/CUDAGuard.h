// Guards as torch has them, for one device. torch's own are built on an implementation that asks
// NVIDIA's driver.
#pragma once
#include <c10/core/impl/InlineDeviceGuard.h>
#include <c10/cuda/CUDAMacros.h>
#include <c10/cuda/CUDAStream.h>

#include <optional>
#include <vector>

namespace c10::cuda {

struct CUDAGuard {
  explicit CUDAGuard() = delete;
  explicit CUDAGuard(DeviceIndex device) { set_index(device); }
  explicit CUDAGuard(Device device) { set_device(device); }
  CUDAGuard(const CUDAGuard &) = delete;
  CUDAGuard &operator=(const CUDAGuard &) = delete;
  void set_device(Device device) {
    TORCH_CHECK(device.is_cuda(), "expected a CUDA device, but got ", device);
    set_index(device.index());
  }
  void reset_device(Device device) { set_device(device); }
  void set_index(DeviceIndex device) {
    TORCH_CHECK(device <= 0, "there is no CUDA device ", int(device));
  }
  Device original_device() const { return Device(DeviceType::CUDA, 0); }
  Device current_device() const { return Device(DeviceType::CUDA, 0); }
};

struct OptionalCUDAGuard {
  explicit OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device> device) {
    if (device)
      set_device(*device);
  }
  explicit OptionalCUDAGuard(std::optional<DeviceIndex> device) {
    if (device)
      set_index(*device);
  }
  OptionalCUDAGuard(const OptionalCUDAGuard &) = delete;
  OptionalCUDAGuard &operator=(const OptionalCUDAGuard &) = delete;
  void set_device(Device device) { guard.emplace(device); }
  void reset_device(Device device) { guard.emplace(device); }
  void set_index(DeviceIndex device) { guard.emplace(device); }
  std::optional<Device> original_device() const { return current_device(); }
  std::optional<Device> current_device() const {
    return guard ? std::optional<Device>(guard->current_device()) : std::nullopt;
  }
  void reset() { guard.reset(); }

private:
  std::optional<CUDAGuard> guard;
};

struct CUDAStreamGuard {
  explicit CUDAStreamGuard() = delete;
  explicit CUDAStreamGuard(Stream stream) : original(getCurrentCUDAStream()) { reset_stream(stream); }
  CUDAStreamGuard(const CUDAStreamGuard &) = delete;
  CUDAStreamGuard &operator=(const CUDAStreamGuard &) = delete;
  ~CUDAStreamGuard() { setCurrentCUDAStream(original); }
  void reset_stream(Stream stream) { setCurrentCUDAStream(CUDAStream(stream)); }
  CUDAStream original_stream() const { return original; }
  CUDAStream current_stream() const { return getCurrentCUDAStream(); }
  Device current_device() const { return Device(DeviceType::CUDA, 0); }
  Device original_device() const { return Device(DeviceType::CUDA, 0); }

private:
  CUDAStream original;
};

struct OptionalCUDAStreamGuard {
  explicit OptionalCUDAStreamGuard() = default;
  explicit OptionalCUDAStreamGuard(Stream stream) { guard.emplace(stream); }
  explicit OptionalCUDAStreamGuard(std::optional<Stream> stream) {
    if (stream)
      guard.emplace(*stream);
  }
  void reset_stream(Stream stream) { guard.emplace(stream); }
  std::optional<CUDAStream> original_stream() const {
    return guard ? std::optional<CUDAStream>(guard->original_stream()) : std::nullopt;
  }
  std::optional<CUDAStream> current_stream() const {
    return guard ? std::optional<CUDAStream>(guard->current_stream()) : std::nullopt;
  }
  void reset() { guard.reset(); }

private:
  std::optional<CUDAStreamGuard> guard;
};

struct CUDAMultiStreamGuard {
  explicit CUDAMultiStreamGuard(ArrayRef<CUDAStream> streams) : original(getCurrentCUDAStream()) {
    for (const CUDAStream &stream : streams)
      setCurrentCUDAStream(stream);
  }
  ~CUDAMultiStreamGuard() { setCurrentCUDAStream(original); }

private:
  CUDAStream original;
};

} // namespace c10::cuda

// torch's header brings it along.
#include <c10/cuda/CUDAGraphsC10Utils.h>
