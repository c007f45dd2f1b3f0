// RUN: %cupel lint --checks=fallback-no-kernel %s | FileCheck %s
// REQUIRES: cupel, torch, cuda-headers
// CHECK: accepted

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

template <typename T> __global__ void copy(const T *x, T *y) { y[0] = x[0]; }
using Kernel = void (*)(const float *, float *, int);
static const Kernel table[] = {relu, relu};
#define LAUNCH(x, y) run(x, y)
struct Runner {
  void operator()(const torch::Tensor &x, torch::Tensor &y) const { run(x, y); }
};

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  run(x, y);                                                            // accepted: a helper launches
  LAUNCH(x, y);                                                         // accepted: a macro launches
  Runner()(x, y);                                                       // accepted: an object launches
  auto f = [&] { run(x, y); };                                          // accepted: a lambda launches
  f();
  table[1]<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 1);    // accepted: a table of kernels
  copy<float><<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>());      // accepted: a template
  void *args[] = {nullptr};
  cudaLaunchKernel((void *)relu, 1, 1, args, 0, 0);                     // accepted: cudaLaunchKernel
  cudaLaunchCooperativeKernel((void *)relu, 1, 1, args, 0, 0);          // accepted: a cooperative launch
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "copy", [&] {
    copy<scalar_t><<<1, 1>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>()); // accepted: in AT_DISPATCH
  });
  if (x.numel() > 0)
    run(x, y);                                                          // accepted: under a condition
  return y;
}
