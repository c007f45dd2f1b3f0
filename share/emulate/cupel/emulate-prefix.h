// What is precompiled for every emulated submission: torch as the build's slim headers have it, and
// what stands for CUDA. A header that is not used costs nothing.
#pragma once
#include "cupel/emulate/TorchForNvcc.h" // Before torch, whose types it completes.

#include <torch/extension.h>

#include <cuda_runtime.h>

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include "cupel/emulate/Ptx.h"

// libcu++ asks once which compiler this is, and a submission's text defines nvcc's macros.
#if __has_include(<cuda/std/version>)
#include <cuda/std/version>
#endif
