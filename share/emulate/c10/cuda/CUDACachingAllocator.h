// Of torch's allocator what submissions call: memory for workspaces.
#pragma once
#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAStream.h>

namespace c10::cuda::CUDACachingAllocator {
inline void *raw_alloc(size_t bytes) {
  void *address = nullptr;
  C10_CUDA_CHECK(cudaMalloc(&address, bytes));
  return address;
}
inline void *raw_alloc_with_stream(size_t bytes, cudaStream_t) { return raw_alloc(bytes); }
inline void raw_delete(void *address) { C10_CUDA_CHECK(cudaFree(address)); }
inline void emptyCache() {}
inline void recordStream(const DataPtr &, CUDAStream) {}

class EmulatedAllocator final : public c10::Allocator {
public:
  DataPtr allocate(size_t bytes) override {
    void *address = raw_alloc(bytes);
    return {address, address, raw_deleter(), Device(DeviceType::CUDA, 0)};
  }
  DeleterFnPtr raw_deleter() const override { return &raw_delete; }
  void copy_data(void *to, const void *from, std::size_t bytes) const override {
    C10_CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice));
  }
};
inline c10::Allocator *get() {
  static EmulatedAllocator allocator;
  return &allocator;
}
} // namespace c10::cuda::CUDACachingAllocator
