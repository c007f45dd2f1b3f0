// RUN: %cupel lint --checks=timing-l2-evict-last %s | FileCheck %s --implicit-check-not='[timing-l2-evict-last]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

__global__ void kernel(const float *x, float *y) {
  float v, w;
  // CHECK: l2-evict-last.cu:[[#@LINE+1]]:3: warn: PTX 'ld.global.L2::evict_last.f32' asks the L2 cache to keep this data, perhaps beyond a flush [timing-l2-evict-last]
  asm("ld.global.L2::evict_last.f32 %0, [%1];" : "=f"(v) : "l"(x));
  asm("ld.global.L2::evict_first.f32 %0, [%1];" : "=f"(w) : "l"(x)); // accepted: gives the line up first
  y[0] = v + w;
}

torch::Tensor forward(torch::Tensor x) {
  kernel<<<1, 1>>>(x.data_ptr<float>(), x.data_ptr<float>());
  return torch::empty_like(x);
}
