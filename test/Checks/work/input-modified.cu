// RUN: %cupel lint --checks=work-input-modified %s | FileCheck %s --implicit-check-not='[work-input-modified]'
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

__global__ void twice(float *x, float *y) { y[0] = x[0]; x[0] = y[0]; }
__global__ void reads(float *x, float *y) { y[0] = x[0]; }
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  run(x, y);
  twice<<<1, 1>>>(y.data_ptr<float>(), z.data_ptr<float>()); // accepted: memory of its own
  reads<<<1, 1>>>(x.data_ptr<float>(), z.data_ptr<float>()); // accepted: no store, whatever the type says
  // CHECK: input-modified.cu:[[#@LINE+1]]:3: warn: this kernel stores into 'x', which belongs to the caller [work-input-modified]
  twice<<<1, 1>>>(x.data_ptr<float>(), z.data_ptr<float>());
  return z;
}
