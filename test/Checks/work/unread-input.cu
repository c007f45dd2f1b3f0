// RUN: %cupel lint --checks=work-unread-input %s | FileCheck %s --implicit-check-not='[work-unread-input]'
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

torch::Tensor both(torch::Tensor x, torch::Tensor w) { auto y = torch::empty_like(x); run(x, y); run(w, y); return y; } // accepted: both are read
// CHECK: unread-input.cu:[[#@LINE+1]]:{{[0-9]+}}: warn: no kernel is given the data of 'w' [work-unread-input]
torch::Tensor one(torch::Tensor x, torch::Tensor w) {
  TORCH_CHECK(w.numel() == x.size(1));
  auto y = torch::empty_like(x);
  run(x, y);
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("both", &both);
  m.def("one", &one);
}
