// CUDA's own for the host, and what it has for the device alone.
#pragma once
#include <cuda_runtime.h>

#include "cupel/emulate/HalfConversions.h"
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#include_next <cuda_fp16.h>
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
#include "cupel/emulate/Half.h"
#include "cupel/emulate/HalfConversionBodies.h"
CUPEL_HALF(__half, __half2, __half2float, __float2half, __double2half, __half2)
