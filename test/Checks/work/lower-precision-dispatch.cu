// Where kernels take the caller's halves, others are judged by what they take as float.
// RUN: %cupel lint --problem %problems/level1/relu.toml --checks=work-lower-precision %s \
// RUN:   | FileCheck %s --implicit-check-not='[work-lower-precision]'
// REQUIRES: cupel, torch, cuda-headers

#include <cuda_fp16.h>
#include <torch/extension.h>

__global__ void ofHalves(const __half *x, __half *y, float *sum) {
  float f = fmaxf(__half2float(x[0]), 0.f);
  y[0] = __float2half(f); // accepted: of halves
  sum[0] = f;
}
__global__ void ofSums(const float *sum, void *y) {
  static_cast<__half *>(y)[0] = __float2half(sum[0]); // accepted: the sums are of halves
}
template <typename T> __global__ void either(const T *x, T *y) {
  y[0] = static_cast<T>(fmaxf(static_cast<float>(x[0]), 0.f)); // accepted: each instance in its type
}
__device__ __half stored(float f) { return __float2half(f); } // accepted: for which kernel is not known
__global__ void ofFloats(const float *x, float *y) {
  // CHECK: :[[#@LINE+1]]:23: warn: '__float2half' rounds to a lower precision than the problem's float32 [work-lower-precision]
  y[0] = __half2float(__float2half(x[0]));
  y[1] = __half2float(stored(x[1]));
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x), sum = torch::empty({1}, x.options().dtype(torch::kFloat));
  if (x.scalar_type() == torch::kHalf) {
    ofHalves<<<1, 1>>>((const __half *)x.data_ptr(), (__half *)y.data_ptr(), sum.data_ptr<float>());
    ofSums<<<1, 1>>>(sum.data_ptr<float>(), y.data_ptr());
    either<<<1, 1>>>(x.data_ptr<at::Half>(), y.data_ptr<at::Half>());
  } else {
    either<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());
    ofFloats<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());
  }
  return y;
}
