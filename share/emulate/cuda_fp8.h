// CUDA's own for the host.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#include_next <cuda_fp8.h>
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
