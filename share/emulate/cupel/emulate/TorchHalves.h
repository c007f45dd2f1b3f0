/// torch's 16-bit floats with their conversions to CUDA's, which their headers have for nvcc only.
/// Before any other header of torch.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#define __CUDACC__ 1
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
