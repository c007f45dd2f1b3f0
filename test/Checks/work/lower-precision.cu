// RUN: %cupel lint --problem %problems/level1/relu.toml --checks=work-lower-precision %s \
// RUN:   | FileCheck %s --implicit-check-not='[work-lower-precision]'
// RUN: %cupel lint --checks=work-lower-precision %s | FileCheck %s --check-prefix=ALONE
// ALONE: note: '__float2half' rounds to a lower precision than float32, if that is the problem's (--problem) [work-lower-precision]
// REQUIRES: cupel, torch, cuda-headers

#include <cuda_fp16.h>
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

__global__ void rounds(const float *x, float *y) {
  // CHECK: lower-precision.cu:[[#@LINE+1]]:14: warn: '__float2half' rounds to a lower precision than the problem's float32 [work-lower-precision]
  __half h = __float2half(x[0]);
  y[0] = __half2float(h); // accepted: back to float
  y[1] = __expf(x[1]);    // accepted: a fast intrinsic in float
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  rounds<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
