// torch's own, whose functions are defined here. The id of a stream is the runtime's handle.
#pragma once
#include <c10/cuda/CUDAFunctions.h>

#include_next <c10/cuda/CUDAStream.h>

namespace c10::cuda {
inline thread_local c10::StreamId cupelCurrentStream = 0;

inline CUDAStream cupelStream(c10::StreamId id) {
  return CUDAStream(CUDAStream::UNCHECKED,
                    c10::Stream(c10::Stream::UNSAFE, c10::Device(c10::DeviceType::CUDA, 0), id));
}
inline cudaStream_t CUDAStream::stream() const { return reinterpret_cast<cudaStream_t>(id()); }
inline bool CUDAStream::query() const { return cudaStreamQuery(stream()) == cudaSuccess; }
inline void CUDAStream::synchronize() const { C10_CUDA_CHECK(cudaStreamSynchronize(stream())); }

inline CUDAStream getStreamFromPool(const int, DeviceIndex) {
  cudaStream_t made = nullptr;
  C10_CUDA_CHECK(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
  return cupelStream(reinterpret_cast<c10::StreamId>(made));
}
inline CUDAStream getStreamFromPool(const bool, DeviceIndex device) {
  return getStreamFromPool(0, device);
}
inline CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex) {
  return cupelStream(reinterpret_cast<c10::StreamId>(stream));
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex) { return cupelStream(0); }
inline CUDAStream getCurrentCUDAStream(DeviceIndex) { return cupelStream(cupelCurrentStream); }
inline void setCurrentCUDAStream(CUDAStream stream) { cupelCurrentStream = stream.id(); }
inline std::ostream &operator<<(std::ostream &out, const CUDAStream &stream) {
  return out << stream.unwrap();
}
} // namespace c10::cuda
