// RUN: not %cupel lint --checks=evasion-include %s | FileCheck %s --implicit-check-not='[evasion-include]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>       // accepted: torch
#include <ATen/cuda/CUDAContext.h> // accepted: torch
#include <cuda_runtime.h>          // accepted: CUDA
#include "cuda_fp16.h"             // accepted: CUDA, in quotes
#include <cub/cub.cuh>             // accepted: CUDA's libraries
#include <cooperative_groups.h>    // accepted: CUDA's libraries
#include <mma.h>                   // accepted: CUDA
#include <vector>                  // accepted: the standard library
#include <cmath>                   // accepted: the standard library
#include <stdint.h>                // accepted: the standard library
// #include "/tmp/x.h" is accepted: a comment
const char *text = "#include \"/tmp/x.h\""; // accepted: text
#if 0
// CHECK: include.cu:[[#@LINE+1]]:1: reject: this includes a file by its place on the machine, not a known header [evasion-include]
#include "/tmp/generated.cuh"
#endif
#define HIDDEN <cmath>
// CHECK: :[[#@LINE+1]]:1: reject: the name of the included file is made by a macro{{.*}}[evasion-include]
#include HIDDEN
#ifdef NEVER
// CHECK: :[[#@LINE+1]]:1: reject: this includes a file by its place{{.*}}[evasion-include]
#include "../other.h"
#endif
torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
