// torch's own, whose functions are defined here: libc10_cuda asks NVIDIA's driver.
#pragma once
#include <cuda_runtime.h>

#include_next <c10/cuda/CUDAFunctions.h>

namespace c10::cuda {
inline void c10_cuda_check_implementation(const int32_t err, const char *file, const char *function,
                                          const uint32_t line, const bool) {
  if (err == cudaSuccess)
    return;
  (void)cudaGetLastError(); // As torch does: the error is told once.
  throw c10::CUDAError({function, file, line},
                       std::string("CUDA error: ") +
                           cudaGetErrorString(static_cast<cudaError_t>(err)));
}
inline const char *get_cuda_check_suffix() noexcept { return ""; }
inline std::string get_cuda_error_help(cudaError_t) noexcept { return ""; }

inline DeviceIndex device_count() noexcept { return 1; }
inline DeviceIndex device_count_ensure_non_zero() { return 1; }
inline DeviceIndex current_device() { return 0; }
inline void set_device(DeviceIndex device, const bool) { C10_CUDA_CHECK(cudaSetDevice(device)); }
inline void device_synchronize() { C10_CUDA_CHECK(cudaDeviceSynchronize()); }
inline void warn_or_error_on_sync() {}
inline cudaError_t GetDeviceCount(int *count) { return cudaGetDeviceCount(count); }
inline cudaError_t GetDevice(DeviceIndex *device) { return *device = 0, cudaSuccess; }
inline cudaError_t SetDevice(DeviceIndex device, const bool) { return cudaSetDevice(device); }
inline cudaError_t MaybeSetDevice(DeviceIndex device) { return cudaSetDevice(device); }
inline DeviceIndex ExchangeDevice(DeviceIndex) { return 0; }
inline DeviceIndex MaybeExchangeDevice(DeviceIndex) { return 0; }
inline void SetTargetDevice() {}
inline bool hasPrimaryContext(DeviceIndex) { return true; }
inline std::optional<DeviceIndex> getDeviceIndexWithPrimaryContext() { return DeviceIndex(0); }
} // namespace c10::cuda
