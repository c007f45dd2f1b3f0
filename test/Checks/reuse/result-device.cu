// Results that kernels leave in variables of the device for later calls.
//
// RUN: not %cupel lint --checks=reuse-result,reuse-prepared-input %s | FileCheck %s --implicit-check-not='[reuse-'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

// CHECK: result-device.cu:[[#@LINE+1]]:18: reject: what a kernel makes from an input is kept here, and a later call reads it unchanged [reuse-prepared-input]
__device__ float stored[1 << 20];
__device__ float scratch[1 << 20];
__device__ float sum;
__device__ unsigned arrived;
__device__ unsigned epoch;
__device__ int done;
__device__ int failed;
__constant__ float weights[256];
// CHECK: :[[#@LINE+1]]:20: reject: what a kernel makes from an input is kept here{{.*}}[reuse-prepared-input]
__constant__ float packed[256];

__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
}
__global__ void put(const float *x, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    stored[i] = fmaxf(x[i], 0.f);
}
__global__ void get(float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = stored[i];
}
torch::Tensor keeps(torch::Tensor x) {
  static bool isDone = false;
  auto y = torch::empty_like(x);
  if (!isDone)
    put<<<1, 256>>>(x.data_ptr<float>(), x.numel());
  isDone = true;
  get<<<1, 256>>>(y.data_ptr<float>(), x.numel());
  return y;
}

__global__ void unlessDone(const float *x, float *y, int n) {
  if (done)
    return;
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
}
__global__ void setDone() {
  if (threadIdx.x == 0)
    done = 1;
}
torch::Tensor gated(torch::Tensor x) {
  static torch::Tensor y;
  if (!y.defined())
    y = torch::empty_like(x);
  unlessDone<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  setDone<<<1, 1>>>();
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return a tensor that the first one made{{.*}}[reuse-result]
  return y;
}

__global__ void scale(const float *x, const float *w, float *y) { y[threadIdx.x] = x[threadIdx.x] * w[0]; }
__global__ void scalePacked(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x] * packed[threadIdx.x]; }
torch::Tensor copiesOnce(torch::Tensor x, torch::Tensor w) {
  static bool isDone = false;
  auto y = torch::empty_like(x);
  if (!isDone)
    cudaMemcpyToSymbol(packed, w.data_ptr<float>(), 1024, 0, cudaMemcpyDeviceToDevice);
  isDone = true;
  scalePacked<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}

// Look-alikes.
__global__ void first(const float *x) { scratch[threadIdx.x] = x[threadIdx.x] * 2; }
__global__ void second(float *y) { y[threadIdx.x] = scratch[threadIdx.x] + 1; }
torch::Tensor workspace(torch::Tensor x) {
  auto y = torch::empty_like(x);
  first<<<1, 256>>>(x.data_ptr<float>());
  second<<<1, 256>>>(y.data_ptr<float>());
  return y; // accepted: written in each call before it is read
}
__global__ void reduce(const float *x, float *y, int n) {
  atomicAdd(&sum, x[threadIdx.x]);
  __threadfence();
  __shared__ bool isLast;
  if (threadIdx.x == 0)
    isLast = atomicInc(&arrived, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (!isLast)
    return;
  y[0] = sum;
  sum = 0;
  arrived = 0;
}
torch::Tensor lastBlock(torch::Tensor x) {
  auto y = torch::empty({1}, x.options());
  reduce<<<4, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y; // accepted: a counter that the last block resets
}
__global__ void waits(const float *x, float *y) {
  while (epoch == 0)
    ;
  y[threadIdx.x] = x[threadIdx.x] * 2;
}
__global__ void next(const float *x) { epoch += x != nullptr; }
torch::Tensor epochs(torch::Tensor x) {
  auto y = torch::empty_like(x);
  waits<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>());
  next<<<1, 1>>>(x.data_ptr<float>());
  return y; // accepted: the epoch of a barrier
}
__global__ void scaleConstant(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x] * weights[threadIdx.x]; }
torch::Tensor copiedAlways(torch::Tensor x, torch::Tensor w) {
  auto y = torch::empty_like(x);
  cudaMemcpyToSymbolAsync(weights, w.data_ptr<float>(), 1024, 0, cudaMemcpyDeviceToDevice);
  scaleConstant<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y; // accepted: copied in each call
}
__global__ void unlessFailed(const float *x, float *y, int n) {
  if (failed)
    return;
  if (x[threadIdx.x] != x[threadIdx.x])
    failed = 1;
  y[threadIdx.x] = fmaxf(x[threadIdx.x], 0.f);
}
torch::Tensor errorFlag(torch::Tensor x) {
  static torch::Tensor y = torch::empty_like(x);
  unlessFailed<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y; // accepted: a flag that the data set
}

__device__ float offsets[4];
__global__ void shifted(float *y, int n) {
  if (threadIdx.x < n)
    y[threadIdx.x] = offsets[0];
}
torch::Tensor byPointer(torch::Tensor x) {
  auto y = torch::empty_like(x);
  shifted<<<1, 256>>>(y.data_ptr<float>(), x.numel());
  void (*kernel)(const float *, float *, int) = relu;
  kernel<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y; // accepted: nothing says that the launched kernel writes the variable
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("keeps", &keeps);
  m.def("gated", &gated);
  m.def("copiesOnce", &copiesOnce);
  m.def("workspace", &workspace);
  m.def("lastBlock", &lastBlock);
  m.def("epochs", &epochs);
  m.def("copiedAlways", &copiedAlways);
  m.def("errorFlag", &errorFlag);
  m.def("byPointer", &byPointer);
}
