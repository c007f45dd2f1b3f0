// CUDA's own generators, which are plain C++. MTGP32's header declares blockDim and threadIdx itself,
// so it gets names that nobody defines: a kernel that uses it does not link.
#pragma once
#include <cuda_runtime.h>
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#define blockDim cupelNotEmulatedBlockDim
#define threadIdx cupelNotEmulatedThreadIdx
#include_next <curand_kernel.h>
#undef threadIdx
#undef blockDim
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
