// Results that a kernel keeps in a variable of the device and makes only until a flag is set.
//
// RUN: not %cupel lint --checks=reuse-result,reuse-prepared-input %s | FileCheck %s --implicit-check-not='[reuse-'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

#define RUN(kernel)                                                                                \
  auto y = torch::empty_like(x);                                                                   \
  kernel<<<4, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());                         \
  return y;
#define INDEX                                                                                      \
  int i = blockIdx.x * 256 + threadIdx.x;                                                          \
  if (i >= n)                                                                                      \
    return;

__device__ int ready;
// CHECK: result-kept.cu:[[#@LINE+1]]:18: reject: what a kernel makes from an input is kept here, and a later call reads it unchanged [reuse-prepared-input]
__device__ float keep[1024];
__global__ void lazy(const float *x, float *y, int n) {
  INDEX;
  if (!ready)
    keep[i] = fmaxf(x[i], 0.f);
  y[i] = keep[i];
  if (i == n - 1)
    ready = 1;
}
torch::Tensor once(torch::Tensor x) { RUN(lazy); }

__device__ bool isDone;
// CHECK: :[[#@LINE+1]]:18: reject: what a kernel makes from an input is kept here{{.*}}[reuse-prepared-input]
__device__ float results[1024];
__global__ void early(const float *x, float *y, int n) {
  INDEX;
  if (isDone) {
    y[i] = results[i];
    return;
  }
  results[i] = fmaxf(x[i], 0.f);
  y[i] = results[i];
}
__global__ void finish() { isDone = true; }
torch::Tensor returnsEarly(torch::Tensor x) {
  auto y = torch::empty_like(x);
  early<<<4, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  finish<<<1, 1>>>();
  return y;
}

__device__ unsigned calls;
// CHECK: :[[#@LINE+1]]:18: reject: what a kernel makes from an input is kept here{{.*}}[reuse-prepared-input]
__device__ float copies[1024];
__device__ void hold(float value, int i) { copies[i] = value; }
__global__ void otherwise(const float *x, float *y, int n) {
  INDEX;
  if (calls != 0)
    y[i] = copies[i];
  else
    hold(y[i] = fmaxf(x[i], 0.f), i);
  if (i == 0)
    atomicAdd(&calls, 1u);
}
torch::Tensor elseBranch(torch::Tensor x) { RUN(otherwise); }

// Look-alikes.
__device__ int hasTable;
__device__ float table[1024];
__global__ void tabulated(const float *x, float *y, int n) {
  INDEX;
  if (!hasTable)
    table[i] = 0.5f * i;
  y[i] = x[i] + table[i];
  if (i == n - 1)
    hasTable = 1;
}
torch::Tensor ofIndices(torch::Tensor x) { RUN(tabulated); } // accepted: no data in the table

__device__ int isFilled;
__device__ float partial[1024];
__global__ void filled(const float *x, float *y, int n) {
  INDEX;
  if (!isFilled)
    partial[i] = x[i] * 2;
  y[i] = partial[i];
  if (i == n - 1)
    isFilled = 0;
}
torch::Tensor takenBack(torch::Tensor x) { RUN(filled); } // accepted: the flag is never set

__device__ int isReset;
__device__ float sums[1024];
__global__ void summed(const float *x, float *y, int n) {
  INDEX;
  if (!isReset)
    sums[i] = x[i] * 2;
  y[i] = sums[i];
  if (i == n - 1)
    isReset = 1;
}
torch::Tensor resetByHost(torch::Tensor x) {
  int zero = 0;
  cudaMemcpyToSymbol(isReset, &zero, sizeof zero);
  RUN(summed); // accepted: zero again in each call
}

__device__ int isPrepared;
__device__ float workspace[1024];
__global__ void staged(const float *x, float *y, int n) {
  INDEX;
  workspace[i] = x[i];
  if (!isPrepared)
    workspace[i] = x[i] * 2;
  y[i] = workspace[i];
  isPrepared = 1;
}
torch::Tensor always(torch::Tensor x) { RUN(staged); } // accepted: stored to in each call

__device__ int isFirst;
__device__ float stages[1024];
__global__ void inside(const float *x, float *y, int n) {
  INDEX;
  if (!isFirst) {
    stages[i] = x[i] * 2;
    y[i] = stages[i];
  }
  y[i] = x[i];
  isFirst = 1;
}
torch::Tensor onlyInside(torch::Tensor x) { RUN(inside); } // accepted: read only where it is stored to

__device__ int hasScales;
__device__ float scales[1024];
__constant__ float factors[1024] = {1, 2, 3};
__global__ void scaled(const float *x, float *y, int n) {
  INDEX;
  if (!hasScales)
    scales[i] = expf(factors[i]);
  y[i] = x[i] * scales[i];
  hasScales = 1;
}
torch::Tensor ofConstants(torch::Tensor x) { RUN(scaled); } // accepted: made of constants

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("once", &once);
  m.def("returnsEarly", &returnsEarly);
  m.def("elseBranch", &elseBranch);
  m.def("ofIndices", &ofIndices);
  m.def("takenBack", &takenBack);
  m.def("resetByHost", &resetByHost);
  m.def("always", &always);
  m.def("onlyInside", &onlyInside);
  m.def("ofConstants", &ofConstants);
}
