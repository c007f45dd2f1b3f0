// The mode of torch's own handle is the reference's as well.
//
// RUN: not %cupel lint --checks=work-global-state %s | FileCheck %s --implicit-check-not='[work-global-state]'
// REQUIRES: cupel, torch, cuda-headers

#include <ATen/cuda/CUDAContext.h>
#include <cublas_v2.h>
#include <torch/extension.h>

__global__ void kernel(const float *x, float *y) { y[0] = x[0]; }

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  kernel<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());
  // CHECK: global-state-handle.cu:[[#@LINE+1]]:3: reject: 'cublasSetMathMode' also changes the reference in the same process [work-global-state]
  cublasSetMathMode(at::cuda::getCurrentCUDABlasHandle(), CUBLAS_TF32_TENSOR_OP_MATH);
  return y;
}
