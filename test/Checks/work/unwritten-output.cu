// RUN: not %cupel lint --checks=work-unwritten-output %s | FileCheck %s --implicit-check-not='[work-unwritten-output]'
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

torch::Tensor rows(torch::Tensor x) {
  auto y = torch::zeros_like(x), row = torch::empty_like(x[0]);
  for (int i = 0; i < x.size(0); ++i) { run(x[i], row); y[i] = row; }
  return y;                                                                                             // accepted: copied row by row
}
torch::Tensor parts(torch::Tensor x) {
  auto y = torch::empty_like(x), row = torch::empty_like(x[0]);
  run(x[0], row); y.slice(0, 0, 1) = row; return y;                                                     // accepted: to a slice
}
torch::Tensor cleared(torch::Tensor x) { auto y = torch::zeros_like(x); run(x, y); return y; }        // accepted: a kernel adds to it
torch::Tensor nothingToDo(torch::Tensor x) {
  if (x.numel() == 0) return torch::zeros_like(x);                                                      // accepted: empty
  auto y = torch::empty_like(x); run(x, y); return y;
}
std::vector<torch::Tensor> noGradient(torch::Tensor x) {
  auto y = torch::empty_like(x); run(x, y); return {y, torch::zeros({1}, x.options())};               // accepted: beside a kernel's
}
torch::Tensor fromHost(torch::Tensor x) {
  auto y = torch::empty_like(x); run(x, y); float s = 0;
  cudaMemcpy(&s, y.data_ptr<float>(), 4, cudaMemcpyDeviceToHost);
  return torch::full({1}, s, x.options());                                                             // accepted: a kernel's value
}
torch::Tensor onHost(torch::Tensor x) {
  auto y = torch::empty_like(x); run(x, y); auto sizes = torch::zeros({2});
  sizes.data_ptr<float>()[0] = 1;
  return sizes;                                                                                        // accepted: host code writes it
}
__global__ void nothing(const float *x, float *y, int n) {}
torch::Tensor emptyKernel(torch::Tensor x) {
  auto y = torch::empty_like(x);
  nothing<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  // CHECK: unwritten-output.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return y;
}
torch::Tensor warmedUp(torch::Tensor x) {
  auto y = torch::empty_like(x);
  nothing<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 0);
  run(x, y); return y;                                                                                 // accepted: another kernel writes
}
torch::Tensor zeros(torch::Tensor x) {
  auto y = torch::empty_like(x); run(x, y);
  // CHECK: unwritten-output.cu:[[#@LINE+1]]:3: reject: no kernel writes the returned tensor, it is only filled with a constant [work-unwritten-output]
  return torch::zeros_like(x);
}
torch::Tensor mean(torch::Tensor x) {
  auto y = torch::empty_like(x); run(x, y);
  // CHECK: unwritten-output.cu:[[#@LINE+1]]:3: reject: no kernel writes the returned tensor, it is only filled with a constant [work-unwritten-output]
  return torch::full_like(x, 1.0f / x.size(1));
}
torch::Tensor onlyCleared(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x); run(x, y);
  cudaMemsetAsync(z.data_ptr(), 0, z.nbytes(), 0);
  // CHECK: unwritten-output.cu:[[#@LINE+1]]:3: reject: no kernel writes the returned tensor, it is only filled with a constant [work-unwritten-output]
  return z;
}
torch::Tensor sometimesZeros(torch::Tensor x) {
  auto y = torch::empty_like(x); run(x, y);
  if (x.size(1) > 4096)
    // CHECK: :[[#@LINE+1]]:5: warn: no kernel writes the returned tensor, it is only filled with a constant [work-unwritten-output]
    return torch::zeros_like(x);
  return y;
}
static torch::Tensor buffer(const torch::Tensor &x) { return torch::empty_like(x); }
static torch::Tensor output(const torch::Tensor &x) { return buffer(x); }
torch::Tensor ownBuffers(torch::Tensor x) { auto a = output(x), b = output(x); run(x, a); run(a, b); return b; } // accepted: each is written
torch::Tensor wrongBuffer(torch::Tensor x) {
  auto a = output(x), b = output(x);
  run(x, a);
  // CHECK: unwritten-output.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return b;
}
torch::Tensor freshBuffer(torch::Tensor x) {
  auto a = buffer(x);
  run(x, a);
  // CHECK: unwritten-output.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return buffer(x);
}
torch::Tensor wrongOne(torch::Tensor x) {
  auto y = torch::empty_like(x), scratch = torch::empty_like(x);
  run(x, scratch);
  // CHECK: unwritten-output.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return y;
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
  m.def("cleared", &cleared);
  m.def("nothingToDo", &nothingToDo);
  m.def("noGradient", &noGradient);
  m.def("fromHost", &fromHost);
  m.def("onHost", &onHost);
  m.def("emptyKernel", &emptyKernel);
  m.def("warmedUp", &warmedUp);
  m.def("zeros", &zeros);
  m.def("mean", &mean);
  m.def("onlyCleared", &onlyCleared);
  m.def("sometimesZeros", &sometimesZeros);
  m.def("ownBuffers", &ownBuffers);
  m.def("wrongBuffer", &wrongBuffer);
  m.def("freshBuffer", &freshBuffer);
  m.def("wrongOne", &wrongOne);
}
