// RUN: %cupel lint --checks=work-literal-shape %s | FileCheck %s --implicit-check-not='[work-literal-shape]'
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

constexpr int N = 4;
torch::Tensor fixed(torch::Tensor x) {
  // CHECK: literal-shape.cu:[[#@LINE+1]]:12: warn: the output has the sizes of one case, which no argument is compared with [work-literal-shape]
  auto y = torch::empty({N, 256}, torch::dtype(torch::kFloat32).device(torch::kCUDA));
  relu<<<N, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), N * 256);
  return y;
}
torch::Tensor checked(torch::Tensor x) {
  TORCH_CHECK(x.size(0) == N && x.size(1) == 256);
  auto y = torch::empty({N, 256}, x.options()); // accepted: compared with the argument
  relu<<<N, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), N * 256);
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("fixed", &fixed);
  m.def("checked", &checked);
}
