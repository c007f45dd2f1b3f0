// CUDA's own, whose functions are the emulation's.
#pragma once
#include "cupel/emulate/Names.h"
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#include_next <cuda_runtime_api.h>
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
