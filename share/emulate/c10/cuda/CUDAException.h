// torch's own. CUDAFunctions.h here defines what it only declares.
#pragma once
#include <cuda_runtime.h>

#include_next <c10/cuda/CUDAException.h>

#include <c10/cuda/CUDAFunctions.h>
