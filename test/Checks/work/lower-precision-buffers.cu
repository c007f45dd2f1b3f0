// A half buffer that the submission makes itself says nothing about the data.
// RUN: %cupel lint --problem %problems/level1/relu.toml --checks=work-lower-precision %s \
// RUN:   | FileCheck %s --implicit-check-not='[work-lower-precision]'
// REQUIRES: cupel, torch, cuda-headers

#include <cuda_fp16.h>
#include <torch/extension.h>

__global__ void toHalf(const float2 *x, __half2 *t, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  // CHECK: :[[#@LINE+2]]:12: warn: '__float22half2_rn' rounds to a lower precision than the problem's float32 [work-lower-precision]
  if (i < n)
    t[i] = __float22half2_rn(x[i]);
}
__global__ void relu(const __half2 *t, float2 *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = __half22float2(__hmax2(t[i], __float2half2_rn(0.f))); // accepted: a literal
}
__global__ void converts(const float *x, at::Half *t) {
  // CHECK: :[[#@LINE+1]]:10: warn: 'c10::Half::Half' rounds to a lower precision than the problem's float32 [work-lower-precision]
  t[0] = x[0];
}
__global__ void unlaunched(const __half *x, __half *y) { // accepted: takes no data
  y[0] = __float2half(__half2float(x[0]) * 2.f);
}
torch::Tensor forward(torch::Tensor x) {
  auto options = x.options().dtype(torch::kHalf);
  auto y = torch::empty_like(x), t = torch::empty(x.sizes(), options);
  at::Half *raw;
  cudaMalloc(&raw, x.numel() * sizeof(at::Half));
  int n = x.numel() / 2;
  toHalf<<<(n + 255) / 256, 256>>>((const float2 *)x.data_ptr(), (__half2 *)t.data_ptr(), n);
  relu<<<(n + 255) / 256, 256>>>((const __half2 *)t.data_ptr(), (float2 *)y.data_ptr(), n);
  converts<<<1, 1>>>(x.data_ptr<float>(), raw);
  return y;
}
