//===- GpuArchitecture.h - the GPU that a build is for ----------------------===//
#ifndef CUPEL_DRIVER_GPUARCHITECTURE_H
#define CUPEL_DRIVER_GPUARCHITECTURE_H

#include <string>

namespace cupel {

/// Whether the NVIDIA driver has devices on this machine. Cheap, and only a hint.
bool hasGpu();

/// The architecture to build for: that of the machine's first GPU, `sm_90a` without one.
std::string gpuArchitecture();

} // namespace cupel

#endif // CUPEL_DRIVER_GPUARCHITECTURE_H
