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
__global__ void literal(float *y) {
  y[0] = __half2float(__float2half(0.5f)); // accepted: a literal, no data
}
__global__ void split(const float *x, float *y) {
  float high = __uint_as_float(__float_as_uint(x[0]) & 0xffffe000u); // accepted: the rest is kept
  y[0] = high + (x[0] - high) * 2.f;
}
__global__ void masks(const float *x, float *y) {
  y[0] = __uint_as_float(__float_as_uint(x[0]) & 0x7fffffffu); // accepted: fabsf
  y[1] = __uint_as_float(__float_as_uint(x[1]) & 0xff800000u); // accepted: the exponent
  y[2] = __float_as_uint(x[2]) & 0x00ff0000u;                  // accepted: a digit
  unsigned n = threadIdx.x;
  y[3] = n & 0xffffff00u;                                      // accepted: no float's bits
}
__global__ void truncates(const float *x, float *y) {
  // CHECK: :[[#@LINE+1]]:48: warn: this mask leaves a lower precision than the problem's float32 [work-lower-precision]
  y[0] = __uint_as_float(__float_as_uint(x[0]) & 0xffff0000u);
  unsigned bits = *(const unsigned *)&x[1];
  // CHECK: :[[#@LINE+1]]:8: warn: this mask leaves a lower precision than the problem's float32 [work-lower-precision]
  bits &= ~0xfffu;
  y[1] = __uint_as_float(bits);
}
__global__ void truncatesWords(const unsigned *x, unsigned *y, const unsigned *own) {
  // CHECK: :[[#@LINE+1]]:15: warn: this mask leaves a lower precision than the problem's float32 [work-lower-precision]
  y[0] = x[0] & 0xffff0000u;
  y[1] = own[0] & 0xffff0000u; // accepted: of the kernel's own integers
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x), flags = torch::empty({4}, x.options().dtype(torch::kInt));
  rounds<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());
  literal<<<1, 1>>>(y.data_ptr<float>());
  split<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());
  masks<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());
  truncates<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());
  truncatesWords<<<1, 1>>>((const unsigned *)x.data_ptr(), (unsigned *)y.data_ptr(),
                           (const unsigned *)flags.data_ptr());
  return y;
}
