// RUN: not %cupel lint --checks=work-global-state %s | FileCheck %s --implicit-check-not='[work-global-state]'
// REQUIRES: cupel, torch, cuda-headers

#include <ATen/Context.h>
#include <cublas_v2.h>
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

namespace own {
struct Context {
  void setAllowTF32CuBLAS(bool) {}
};
void manual_seed(int) {}
} // namespace own

torch::Tensor forward(torch::Tensor x) {
  // CHECK: global-state.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Context::setAllowTF32CuBLAS' also changes the reference in the same process [work-global-state]
  at::globalContext().setAllowTF32CuBLAS(true);
  // CHECK: :[[#@LINE+1]]:3: reject: 'cudaDeviceReset' also changes{{.*}}[work-global-state]
  cudaDeviceReset();
  own::Context context;                               // accepted: an own class
  context.setAllowTF32CuBLAS(true);                   // accepted: its method
  own::manual_seed(1);                                // accepted: an own function
  (void)at::globalContext().allowTF32CuBLAS();        // accepted: a question
  (void)at::globalContext().deterministicAlgorithms(); // accepted: a question
  (void)at::globalContext().hasCUDA();                // accepted: a question
  auto options = x.options().dtype(torch::kFloat32);  // accepted: options of one tensor
  cudaSetDevice(0);                                   // accepted: the current device
  cudaFuncSetAttribute(relu, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024); // accepted: of an own kernel
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH);     // accepted: the mode of an own handle
  const char *text = "setAllowTF32CuBLAS";            // accepted: text
  auto y = torch::empty(x.sizes(), options);          // accepted: an allocation
  run(x, y);
  return y;
}
