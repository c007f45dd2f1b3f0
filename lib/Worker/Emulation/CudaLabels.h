//===- CudaLabels.h - host tensors that say they are on a CUDA device -------===//
//
// The emulation's kernels run on the CPU, and a submission checks and copies options of CUDA
// tensors. So in an emulated candidate a tensor of the device cuda:0 has its values in host memory,
// and torch's operators on it are those of the CPU.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_EMULATION_CUDALABELS_H
#define CUPEL_WORKER_EMULATION_CUDALABELS_H

#include <cstddef>

namespace cupel::worker {

/// Where tensors of cuda:0 get their memory.
struct DeviceMemory {
  void *(*Allocate)(size_t Bytes);
  void (*Free)(void *Address);
};

/// Makes torch's dispatcher run operators on tensors of cuda:0 with the kernels of the CPU. Once a
/// process, in one that has not loaded libtorch_cuda.
void installCudaLabels(DeviceMemory Memory);

} // namespace cupel::worker

#endif // CUPEL_WORKER_EMULATION_CUDALABELS_H
