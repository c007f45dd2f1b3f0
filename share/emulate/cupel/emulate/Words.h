/// CUDA's words for functions and variables, which mean nothing to a compiler for the CPU.
#pragma once

#include <cuda_runtime_api.h>
#include <memory>

#undef __global__
#undef __device__
#undef __host__
#undef __shared__
#undef __constant__
#undef __managed__
#undef __forceinline__
#undef __launch_bounds__
#undef __grid_constant__
#undef __cluster_dims__
#undef __block_size__
#undef __maxnreg__
#undef __noinline__
#undef __nv_pure__
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __nv_pure__
// libstdc++ writes __attribute__((__noinline__)) in what <memory> includes, read before this.
#define __noinline__ __attribute__((noinline))

/// Of the emulation's own device functions: the place in the submission that calls them is the one
/// that debug information tells. Being inlined, their accesses are checked like the caller's.
#define CUPEL_DEVICE __attribute__((always_inline, nodebug, no_sanitize("alignment"))) inline
