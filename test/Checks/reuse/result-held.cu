// Results that are kept behind a function, and ones that are copied out of kept memory.
//
// RUN: not %cupel lint --checks=reuse-result,reuse-prepared-input %s | FileCheck %s --implicit-check-not='[reuse-'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
}
static void run(const float *x, float *y, int n) { relu<<<(n + 255) / 256, 256>>>(x, y, n); }

struct Kept {
  torch::Tensor output, scratch;
  static Kept &get() {
    static Kept kept;
    return kept;
  }
};
static Kept *pointed() {
  static Kept kept;
  return &kept;
}

torch::Tensor singleton(torch::Tensor x) {
  auto &kept = Kept::get();
  if (kept.output.defined())
    // CHECK: result-held.cu:[[#@LINE+1]]:5: reject: the second call can return a tensor that the first one made{{.*}}[reuse-result]
    return kept.output;
  kept.output = torch::empty_like(x);
  run(x.data_ptr<float>(), kept.output.data_ptr<float>(), x.numel());
  return kept.output;
}
torch::Tensor throughPointer(torch::Tensor x) {
  if (pointed()->output.defined())
    // CHECK: :[[#@LINE+1]]:5: reject: the second call can return{{.*}}[reuse-result]
    return pointed()->output;
  pointed()->output = torch::empty_like(x);
  run(x.data_ptr<float>(), pointed()->output.data_ptr<float>(), x.numel());
  return pointed()->output;
}

static float *saved;
static void *savedFor;
torch::Tensor copiedOut(torch::Tensor x) {
  int n = x.numel();
  if (savedFor != x.data_ptr()) {
    // CHECK: :[[#@LINE+1]]:17: reject: what a kernel makes from an input is kept here, and a later call reads it unchanged [reuse-prepared-input]
    cudaMalloc(&saved, n * sizeof(float));
    run(x.data_ptr<float>(), saved, n);
    savedFor = x.data_ptr();
  }
  auto y = torch::empty_like(x);
  cudaMemcpyAsync(y.data_ptr<float>(), saved, n * sizeof(float), cudaMemcpyDeviceToDevice);
  return y;
}

torch::Tensor torchsResult(torch::Tensor x) {
  static torch::Tensor product = at::mm(x, x);
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return product;
}

// Accepted.
torch::Tensor workspace(torch::Tensor x) {
  auto &kept = Kept::get();
  if (!kept.scratch.defined() || kept.scratch.numel() < x.numel())
    kept.scratch = torch::empty_like(x);
  auto y = torch::empty_like(x);
  run(x.data_ptr<float>(), kept.scratch.data_ptr<float>(), x.numel());
  run(kept.scratch.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
static float *buffer;
static size_t capacity;
torch::Tensor copiedOutOfWorkspace(torch::Tensor x) {
  size_t n = x.numel();
  if (n > capacity) {
    cudaFree(buffer);
    cudaMalloc(&buffer, n * sizeof(float));
    capacity = n;
  }
  run(x.data_ptr<float>(), buffer, n);
  auto y = torch::empty_like(x);
  cudaMemcpyAsync(y.data_ptr<float>(), buffer, n * sizeof(float), cudaMemcpyDeviceToDevice);
  return y;
}
torch::Tensor outputBuffer(torch::Tensor x) {
  auto &kept = Kept::get();
  if (!kept.scratch.defined() || kept.scratch.sizes() != x.sizes())
    kept.scratch = torch::empty_like(x);
  run(x.data_ptr<float>(), kept.scratch.data_ptr<float>(), x.numel());
  return kept.scratch;
}
static torch::Tensor &same(torch::Tensor &x) { return x; }
torch::Tensor localReference(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto &alias = same(y);
  run(x.data_ptr<float>(), alias.data_ptr<float>(), x.numel());
  return alias;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("singleton", &singleton);
  m.def("throughPointer", &throughPointer);
  m.def("copiedOut", &copiedOut);
  m.def("torchsResult", &torchsResult);
  m.def("workspace", &workspace);
  m.def("copiedOutOfWorkspace", &copiedOutOfWorkspace);
  m.def("outputBuffer", &outputBuffer);
  m.def("localReference", &localReference);
}
