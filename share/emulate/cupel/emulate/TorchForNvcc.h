/// What torch's headers have for nvcc only: conversions of its 16-bit floats to CUDA's, and
/// accessors with restricted pointers. Before any other header of torch; what these include is read
/// without.
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
#undef __CUDACC__
#include <c10/util/ArrayRef.h>
#include <c10/util/Deprecated.h>
#include <c10/util/Exception.h>
#include <c10/util/irange.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>
#define __CUDACC__ 1
#include <ATen/core/TensorAccessor.h>
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
