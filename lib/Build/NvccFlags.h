//===- NvccFlags.h - what every call of nvcc is given -------------------------===//
#ifndef CUPEL_LIB_BUILD_NVCCFLAGS_H
#define CUPEL_LIB_BUILD_NVCCFLAGS_H

#include "cupel/Build/Builder.h"

namespace cupel {

/// With these torch leaves 16-bit floats without CUDA's operators and conversions.
inline constexpr const char *HalfMacros[] = {
    "__CUDA_NO_HALF_OPERATORS__", "__CUDA_NO_HALF_CONVERSIONS__",
    "__CUDA_NO_BFLOAT16_CONVERSIONS__", "__CUDA_NO_HALF2_OPERATORS__"};

/// What torch.utils.cpp_extension gives somebody who calls load_inline, so that what builds there
/// builds here and means the same.
void addTorchFlags(std::vector<std::string> &Command, const BuildRequest &Request);

/// Ours: optimised host code, lambdas for the device, line tables for profilers, ptxas's figures,
/// and symbols that nobody outside can see or replace.
void addOwnFlags(std::vector<std::string> &Command, const BuildRequest &Request);

} // namespace cupel

#endif // CUPEL_LIB_BUILD_NVCCFLAGS_H
