// CUDA's own for the host, whose functions are the emulation's, and what device code uses.
#pragma once
#include "cuda_runtime_api.h"
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#include_next <cuda_runtime.h>
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
#include "cupel/emulate/Device.h"
