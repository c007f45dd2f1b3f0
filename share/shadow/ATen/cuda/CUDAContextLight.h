// torch's own without handles of NVIDIA's libraries and their headers. See torch/extension.h.
#pragma once
#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace at::cuda {
inline int64_t getNumGPUs() { return c10::cuda::device_count(); }
inline bool is_available() { return c10::cuda::device_count() > 0; }
TORCH_CUDA_CPP_API cudaDeviceProp *getCurrentDeviceProperties();
TORCH_CUDA_CPP_API int warp_size();
TORCH_CUDA_CPP_API cudaDeviceProp *getDeviceProperties(c10::DeviceIndex device);
TORCH_CUDA_CPP_API bool canDeviceAccessPeer(c10::DeviceIndex device, c10::DeviceIndex peer_device);
TORCH_CUDA_CPP_API c10::Allocator *getCUDADeviceAllocator();
} // namespace at::cuda
