// Pointers that reach a kernel through memory or as numbers: what cannot be followed is no reject.
// RUN: not %cupel lint --checks=work-unwritten-output,work-constant-output %s | FileCheck %s --implicit-check-not='[work-'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <vector>

struct Ends { const float *from; float *to; int count; };

__global__ void followed(const Ends *ends) {
  for (int i = threadIdx.x; i < ends->count; i += blockDim.x)
    ends->to[i] = fmaxf(ends->from[i], 0.f);
}
__global__ void listed(float *const *table, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    table[1][i] = fmaxf(table[0][i], 0.f);
}
__constant__ float *known[2];
__global__ void constants(int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    known[1][i] = fmaxf(known[0][i], 0.f);
}
__global__ void numbered(unsigned long long from, unsigned long long to, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    reinterpret_cast<float *>(to)[i] = fmaxf(reinterpret_cast<const float *>(from)[i], 0.f);
}
__global__ void relu(const float *x, float *y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[i] = fmaxf(x[i], 0.f);
}

torch::Tensor structure(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto room = torch::empty({64}, x.options().dtype(torch::kByte));
  Ends ends{x.data_ptr<float>(), y.data_ptr<float>(), int(x.numel())};
  cudaMemcpyAsync(room.data_ptr(), &ends, sizeof ends, cudaMemcpyHostToDevice, 0);
  followed<<<1, 256>>>(static_cast<const Ends *>(room.data_ptr()));
  return y; // accepted: a structure in device memory holds the pointers
}
torch::Tensor array(torch::Tensor x) {
  auto y = torch::empty_like(x);
  float *host[2] = {x.data_ptr<float>(), y.data_ptr<float>()};
  float **device = nullptr;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  listed<<<1, 256>>>(device, x.numel());
  return y; // accepted: an array of pointers
}
torch::Tensor symbol(torch::Tensor x) {
  auto y = torch::empty_like(x);
  float *host[2] = {x.data_ptr<float>(), y.data_ptr<float>()};
  cudaMemcpyToSymbol(known, host, sizeof host);
  constants<<<1, 256>>>(x.numel());
  return y; // accepted: an array in constant memory
}
torch::Tensor numbers(torch::Tensor x) {
  auto y = torch::empty_like(x);
  numbered<<<1, 256>>>(reinterpret_cast<unsigned long long>(x.data_ptr()), (unsigned long long)y.data_ptr(), x.numel());
  return y; // accepted: addresses as numbers
}
torch::Tensor there(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto base = reinterpret_cast<uintptr_t>(y.data_ptr());
  relu<<<1, 256>>>(x.data_ptr<float>(), reinterpret_cast<float *>(base), x.numel());
  return y; // accepted: there and back
}
torch::Tensor list(torch::Tensor x) {
  auto y = torch::empty_like(x);
  std::vector<int64_t> host{(int64_t)x.data_ptr(), (int64_t)y.data_ptr()};
  auto device = torch::empty({2}, x.options().dtype(torch::kLong));
  cudaMemcpy(device.data_ptr(), host.data(), 16, cudaMemcpyHostToDevice);
  listed<<<1, 256>>>(reinterpret_cast<float *const *>(device.data_ptr<int64_t>()), x.numel());
  return y; // accepted: a list of numbers
}

torch::Tensor aligned(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  TORCH_CHECK(reinterpret_cast<uintptr_t>(y.data_ptr()) % 16 == 0, "alignment");
  relu<<<1, 256>>>(x.data_ptr<float>(), z.data_ptr<float>(), x.numel());
  // CHECK: :[[@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return y;
}
torch::Tensor values(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  cudaMemcpy(z.data_ptr<float>(), y.data_ptr<float>(), x.numel() * 4, cudaMemcpyDeviceToDevice);
  relu<<<1, 256>>>(x.data_ptr<float>(), z.data_ptr<float>(), x.numel());
  // CHECK: :[[@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("structure", &structure); m.def("array", &array); m.def("symbol", &symbol);
  m.def("numbers", &numbers); m.def("there", &there); m.def("list", &list);
  m.def("aligned", &aligned); m.def("values", &values);
}
