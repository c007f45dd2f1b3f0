// RUN: not %cupel lint --checks=work-returned-input %s | FileCheck %s --implicit-check-not='[work-returned-input]'
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

__global__ void inPlaceKernel(float *x) { x[0] = 0; }
torch::Tensor inPlace(torch::Tensor x) { inPlaceKernel<<<1, 1>>>(x.data_ptr<float>()); return x; } // accepted: a kernel may write it
torch::Tensor noElements(torch::Tensor x) {
  if (x.numel() == 0) return x;                                                                    // accepted: empty
  return plain(x);
}
torch::Tensor torchs(torch::Tensor x) { run(x, x); return torch::conv_transpose2d(x, x); }           // accepted: here; torch's work is no argument
torch::Tensor torchsMethod(torch::Tensor x) { run(x, x); return x.softmax(-1).view({-1}); }         // accepted: likewise
torch::Tensor front(torch::Tensor x) {
  auto y = torch::empty_like(x); run(x, y); int64_t n = x.numel();
  cudaMemcpyAsync(y.data_ptr(), x.data_ptr(), n / 2 * 4, cudaMemcpyDeviceToDevice, 0);
  return y;                                                                                         // accepted: a part is copied
}
torch::Tensor behind(torch::Tensor x) {
  auto y = torch::empty({2 * x.size(0)}, x.options()); run(x, y);
  cudaMemcpyAsync(y.data_ptr(), x.data_ptr(), x.nbytes(), cudaMemcpyDeviceToDevice, 0);
  return y;                                                                                         // accepted: x and relu(x)
}
torch::Tensor copiedFirst(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaMemcpyAsync(y.data_ptr(), x.data_ptr(), x.nbytes(), cudaMemcpyDeviceToDevice, 0);
  inPlaceKernel<<<1, 1>>>(y.data_ptr<float>());
  return y;                                                                                         // accepted: a kernel works on the copy
}
torch::Tensor copied(torch::Tensor x) {
  auto y = torch::empty_like(x); run(x, y); int64_t n = x.numel();
  cudaMemcpyAsync(y.data_ptr(), x.data_ptr(), n * sizeof(float), cudaMemcpyDeviceToDevice, 0);
  // CHECK: :[[#@LINE+1]]:3: reject: the entry returns a copy of its argument [work-returned-input]
  return y;
}
torch::Tensor masked(torch::Tensor x) { auto y = torch::empty_like(x); run(x, y); return x * (x > 0); }                            // accepted: here; an operator's result is its own
torch::Tensor negated(torch::Tensor x) { auto y = torch::empty_like(x); run(x, y); return -x; }                                    // accepted: likewise
torch::Tensor untouched(torch::Tensor x) {
  auto y = torch::empty_like(x);
  run(x, y);
  // CHECK: returned-input.cu:[[#@LINE+1]]:3: reject: the entry returns its argument unchanged [work-returned-input]
  return x;
}
torch::Tensor sometimes(torch::Tensor x) {
  auto y = torch::empty_like(x);
  run(x, y);
  if (x.size(1) > 4096)
    // CHECK: :[[#@LINE+1]]:5: warn: the entry returns its argument unchanged{{.*}}[work-returned-input]
    return x.contiguous();
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
  m.def("inPlace", &inPlace);
  m.def("noElements", &noElements);
  m.def("torchs", &torchs);
  m.def("torchsMethod", &torchsMethod);
  m.def("front", &front);
  m.def("behind", &behind);
  m.def("copiedFirst", &copiedFirst);
  m.def("copied", &copied);
  m.def("masked", &masked);
  m.def("negated", &negated);
  m.def("untouched", &untouched);
  m.def("sometimes", &sometimes);
}
