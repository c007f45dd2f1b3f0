// RUN: not %cupel lint --checks=fallback-no-kernel %s | FileCheck %s --implicit-check-not='[fallback-no-kernel]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <map>
#include <vector>

__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
}
static void run(const torch::Tensor &x, torch::Tensor &y) {
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}

// CHECK: no-kernel.cu:[[#@LINE+1]]:15: reject: the entry launches no kernel of this submission [fallback-no-kernel]
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (false)
    run(x, y);
  return y;
}
// The other side, one file an entry each, is in no-kernel-accepted.cu.
