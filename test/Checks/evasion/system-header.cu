// RUN: not %cupel lint --checks=evasion-system-header %s | FileCheck %s --implicit-check-not='[evasion-system-header]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#pragma once                                     // accepted: another pragma
// CHECK: system-header.cu:[[#@LINE+1]]:1: reject: this pragma asks tools to leave the file alone [evasion-system-header]
#pragma GCC system_header
// CHECK: :[[#@LINE+1]]:1: reject: this pragma asks{{.*}}[evasion-system-header]
#pragma clang system_header
// CHECK: :[[#@LINE+1]]:1: reject: this pragma asks{{.*}}[evasion-system-header]
_Pragma("GCC system_header")
// CHECK: :[[#@LINE+1]]:15: reject: this pragma asks{{.*}}[evasion-system-header]
#define QUIET _Pragma("clang system_header")
QUIET
#define UNROLL _Pragma("unroll")                 // accepted: unrolling
const char *name = "system_header";              // accepted: text
_Pragma("GCC diagnostic push")                   // accepted: another pragma
_Pragma("GCC diagnostic pop")                    // accepted: another pragma
#pragma GCC diagnostic push                      // accepted: another pragma
#pragma GCC diagnostic ignored "-Wunused"        // accepted: warnings of the compiler
#pragma GCC diagnostic pop                       // accepted: another pragma
#pragma nv_diag_suppress 177                     // accepted: nvcc's warnings
#pragma message "hello"                          // accepted: a message
const char *text = "#pragma GCC system_header";  // accepted: text
int system_header = 1;                           // accepted: a name
// accepted: #pragma GCC system_header in a comment
__global__ void kernel(float *y) {
#pragma unroll                                   // accepted: unrolling
  for (int i = 0; i < 4; ++i)
    y[i] = 1;
#pragma unroll 1                                 // accepted: unrolling
  for (int i = 0; i < 4; ++i)
    y[i] = 1;
}
torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
