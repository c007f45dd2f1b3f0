// As in the build's slim headers; the functions are defined here.
#pragma once
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>

#include_next <ATen/cuda/CUDAContextLight.h>

namespace at::cuda {
inline cudaDeviceProp *getDeviceProperties(c10::DeviceIndex) {
  static cudaDeviceProp properties = [] {
    cudaDeviceProp p;
    C10_CUDA_CHECK(cudaGetDeviceProperties(&p, 0));
    return p;
  }();
  return &properties;
}
inline cudaDeviceProp *getCurrentDeviceProperties() { return getDeviceProperties(0); }
inline int warp_size() { return 32; }
inline bool canDeviceAccessPeer(c10::DeviceIndex, c10::DeviceIndex) { return false; }
inline c10::Allocator *getCUDADeviceAllocator() { return c10::cuda::CUDACachingAllocator::get(); }
} // namespace at::cuda
