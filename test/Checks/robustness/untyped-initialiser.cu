// Clang makes nothing of the initialiser, which is left in the tree without a type.
// RUN: not %cupel lint %s > %t 2>&1
// RUN: FileCheck %s --implicit-check-not=crash < %t
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <c10/cuda/CUDAGuard.h>

__global__ void twice(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}

torch::Tensor forward(torch::Tensor x) {
  // CHECK: untyped-initialiser.cu:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  const c10::cuda::CUDAGuard guard(x.unheardOf());
  const c10::cuda::CUDAGuard second(x.device(), unheardOf), third(x.device();
  torch::Tensor out = torch::empty_like(x);
  twice<<<1, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.numel());
  return out;
}

// CHECK: untyped-initialiser.cu: could not judge:
