// RUN: not %cupel lint --checks=work-constant-output %s | FileCheck %s --implicit-check-not='[work-constant-output]'
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

torch::Tensor plain(torch::Tensor x) { auto y = torch::empty_like(x); run(x, y); return y; }           // accepted: written
torch::Tensor helper(torch::Tensor x) {
  auto make = [&] { auto y = torch::empty_like(x); run(x, y); return y; };
  return make();                                                                                        // accepted: in a lambda
}
static torch::Tensor &into(torch::Tensor &y, const torch::Tensor &x) { run(x, y); return y; }
torch::Tensor outParameter(torch::Tensor x) { auto y = torch::empty_like(x); return into(y, x); }       // accepted: an out parameter
torch::Tensor branches(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (x.size(0) > 8) run(x, y); else run(x, y);
  return y;                                                                                             // accepted: either branch writes
}
torch::Tensor viewOfIt(torch::Tensor x) { auto y = torch::empty_like(x); run(x, y); return y.view({-1}); } // accepted: a view
torch::Tensor emptyInput(torch::Tensor x) {
  if (x.numel() == 0) return torch::empty_like(x);                                                      // accepted: nothing to write
  auto y = torch::empty_like(x); run(x, y); return y;
}
std::vector<torch::Tensor> two(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x); run(x, a); run(a, b);
  return {a, b};                                                                                        // accepted: both written
}
torch::Tensor byPointer(torch::Tensor x) {
  auto y = torch::empty_like(x); float *p = y.data_ptr<float>();
  relu<<<1, 256>>>(x.data_ptr<float>(), p + 0, 256); return y;                                          // accepted: through a pointer
}
torch::Tensor byStruct(torch::Tensor x) {
  struct Args { const float *x; float *y; } args;
  auto y = torch::empty_like(x); args.x = x.data_ptr<float>(); args.y = y.data_ptr<float>();
  relu<<<1, 256>>>(args.x, args.y, 256); return y;                                                      // accepted: through a struct
}
torch::Tensor byDispatch(torch::Tensor x) {
  auto y = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "relu", [&] { run(x, y); });
  return y;                                                                                             // accepted: in AT_DISPATCH
}
torch::Tensor memset0(torch::Tensor x) {
  auto y = torch::empty_like(x); cudaMemsetAsync(y.data_ptr(), 0, 4, 0); run(x, y); return y;           // accepted: cleared, then written
}

__global__ void fill(float *y, int n, float v) { y[threadIdx.x] = v; }
// CHECK: constant-output.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: the output does not depend on the data of 'x' or of another input: no kernel that is launched reads them [work-constant-output]
torch::Tensor uniform(torch::Tensor x) {
  auto y = torch::empty_like(x);
  fill<<<1, 256>>>(y.data_ptr<float>(), 256, 1.0f / x.size(1));
  return y;
}
__global__ void pretend(const float *x, float *y, int n, float v) { if (threadIdx.x < n) y[threadIdx.x] = v; }
// CHECK: constant-output.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: the output does not depend on the data of 'x' or of another input: no kernel that is launched reads them [work-constant-output]
torch::Tensor unnamed(torch::Tensor x) {
  auto y = torch::empty_like(x);
  pretend<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 256, 1.0f / x.size(1));
  return y;
}
__global__ void dropped(const float *x, float *y, int n) {
  volatile float v = x[threadIdx.x];
  if (threadIdx.x < n)
    y[threadIdx.x] = 0.5f;
}
// CHECK: constant-output.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: the output does not depend on the data of 'x' or of another input: what the kernels store are constants, indices and scalar arguments [work-constant-output]
torch::Tensor droppedInput(torch::Tensor x) {
  auto y = torch::empty_like(x);
  dropped<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 256);
  return y;
}
__global__ void inPlace(float *y) { y[threadIdx.x] = fmaxf(y[threadIdx.x], 0.f); }
torch::Tensor onClone(torch::Tensor x) { auto y = x.clone(); inPlace<<<1, 256>>>(y.data_ptr<float>()); return y; } // accepted: a copy of the input
torch::Tensor onCopy(torch::Tensor x) {
  auto y = torch::empty_like(x); y.copy_(x); inPlace<<<1, 256>>>(y.data_ptr<float>()); return y;        // accepted: a copy of the input
}
torch::Tensor clearedFirst(torch::Tensor x) {
  auto y = torch::empty_like(x);
  dropped<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 256);
  run(x, y);
  return y;                                                                                             // accepted: another kernel computes
}
__global__ void timesZero(const float *x, float *y, int n) {
  float v = x[threadIdx.x];
  if (threadIdx.x < n)
    y[threadIdx.x] = v * 0.f + 0.5f;
}
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: the output does not depend on the data of 'x'{{.*}}[work-constant-output]
torch::Tensor multiplied(torch::Tensor x) {
  auto y = torch::empty_like(x);
  timesZero<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 256);
  return y;
}
__global__ void touch(const float *x, float *y) { if (threadIdx.x == 5000) y[0] = x[0] * 2.f; }
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: the output does not depend on the data of 'x'{{.*}}[work-constant-output]
torch::Tensor noThread(torch::Tensor x) {
  auto y = torch::empty_like(x);
  touch<<<1, x.size(0)>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
__global__ void upper(const float *x, float *y, int n) {
  if (threadIdx.x < 64 || n < 0)
    return;
  y[threadIdx.x] = x[threadIdx.x] * 2.f;
}
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: the output does not depend on the data of 'x'{{.*}}[work-constant-output]
torch::Tensor smallBlock(torch::Tensor x) {
  auto y = torch::empty_like(x);
  upper<<<1, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), 256);
  return y;
}
torch::Tensor largeBlock(torch::Tensor x) {
  auto y = torch::empty_like(x); upper<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 256);
  return y;                                                                                             // accepted: threads 64 to 255 work
}
torch::Tensor unknownBlock(torch::Tensor x) {
  auto y = torch::empty_like(x); upper<<<1, x.size(1)>>>(x.data_ptr<float>(), y.data_ptr<float>(), 256);
  return y;                                                                                             // accepted: a block may be larger
}
__global__ void warps(const float *x, float *y) {
  if (threadIdx.x >= 128)
    return;
  if (threadIdx.x == 127 || threadIdx.y > 2000)
    y[0] = 0;
  else
    y[threadIdx.x] = x[threadIdx.x] * (threadIdx.x * 0 + 1);
}
torch::Tensor oneOfMany(torch::Tensor x) {
  auto y = torch::empty_like(x); warps<<<1, dim3(64, 2)>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;                                                                                             // accepted: others compute
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("plain", &plain);
  m.def("helper", &helper);
  m.def("outParameter", &outParameter);
  m.def("branches", &branches);
  m.def("viewOfIt", &viewOfIt);
  m.def("emptyInput", &emptyInput);
  m.def("two", &two);
  m.def("byPointer", &byPointer);
  m.def("byStruct", &byStruct);
  m.def("byDispatch", &byDispatch);
  m.def("memset0", &memset0);
  m.def("unnamed", &unnamed);
  m.def("droppedInput", &droppedInput);
  m.def("clearedFirst", &clearedFirst);
  m.def("onClone", &onClone);
  m.def("onCopy", &onCopy);
  m.def("multiplied", &multiplied);
  m.def("noThread", &noThread);
  m.def("smallBlock", &smallBlock);
  m.def("largeBlock", &largeBlock);
  m.def("unknownBlock", &unknownBlock);
  m.def("oneOfMany", &oneOfMany);
  m.def("uniform", &uniform);
}
