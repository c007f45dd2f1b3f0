// Flags on the device that keep kernels of later calls from their work.
//
// RUN: not %cupel lint --checks=reuse-result %s | FileCheck %s --implicit-check-not='[reuse-'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

struct State { int ready, rounds; };
__device__ bool done;
__device__ int flags[4];
__device__ unsigned counter, other;
__device__ State state;
__device__ volatile int seen;
__device__ int taken, phase[2];
__device__ int failed;
__device__ unsigned arrived;

static torch::Tensor kept(const torch::Tensor &x) {
  static torch::Tensor y;
  if (!y.defined())
    y = torch::empty_like(x);
  return y;
}
#define KERNEL(name, before, condition)                                                            \
  __global__ void name(const float *x, float *y, int n) {                                          \
    before;                                                                                        \
    int i = blockIdx.x * 256 + threadIdx.x;                                                        \
    if (condition)                                                                                 \
      y[i] = fmaxf(x[i], 0.f);                                                                     \
  }
#define RUN(kernel)                                                                                \
  auto y = kept(x);                                                                                \
  kernel<<<4, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());

KERNEL(unlessDone, , i < n && !done)
__global__ void setDone() { done = true; }
torch::Tensor condition(torch::Tensor x) {
  RUN(unlessDone);
  setDone<<<1, 1>>>();
  // CHECK: result-gates.cu:[[#@LINE+1]]:3: reject: the second call can return a tensor that the first one made{{.*}}[reuse-result]
  return y;
}
KERNEL(unlessFlag, if (flags[0] == 1) return, i < n)
__global__ void setFlag() { flags[0] = 1; }
torch::Tensor element(torch::Tensor x) {
  RUN(unlessFlag);
  setFlag<<<1, 1>>>();
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return y;
}
KERNEL(unlessCounted, if (counter > 0) return, i < n)
__global__ void count() { atomicAdd(&counter, 1u); }
torch::Tensor counted(torch::Tensor x) {
  RUN(unlessCounted);
  count<<<1, 1>>>();
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return y;
}
KERNEL(unlessReady, if (n == 0 || state.ready) return, i < n)
__global__ void setReady() { state.ready = 1; }
torch::Tensor field(torch::Tensor x) {
  RUN(unlessReady);
  setReady<<<1, 1>>>();
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return y;
}
KERNEL(unlessAtomic, if (atomicAdd(&other, 0u)) return, i < n)
__global__ void exchange() { atomicExch(&other, 1u); }
torch::Tensor atomics(torch::Tensor x) {
  RUN(unlessAtomic);
  exchange<<<1, 1>>>();
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return y;
}
KERNEL(unlessSeen, int was = seen; if (was != 0) return, i < n)
__global__ void setSeen() { seen = 1; }
torch::Tensor local(torch::Tensor x) {
  RUN(unlessSeen);
  setSeen<<<1, 1>>>();
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return y;
}

// Look-alikes.
KERNEL(unlessTaken, if (taken) return, i < n)
__global__ void setTaken() { taken = 1; }
__global__ void resetTaken() { taken = 0; }
torch::Tensor reset(torch::Tensor x) {
  resetTaken<<<1, 1>>>();
  RUN(unlessTaken);
  setTaken<<<1, 1>>>();
  return y; // accepted: taken back in each call
}
__global__ void checked(const float *x, float *y, int n) {
  if (failed)
    return;
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) {
    if (isnan(x[i]))
      failed = 1;
    y[i] = fmaxf(x[i], 0.f);
  }
}
torch::Tensor errors(torch::Tensor x) {
  RUN(checked);
  return y; // accepted: raised by data, as an error
}
__global__ void last(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&arrived, 1u) == gridDim.x - 1)
    arrived = 0;
}
torch::Tensor lastBlock(torch::Tensor x) {
  RUN(last);
  return y; // accepted: a counter of blocks, which the last one resets
}
KERNEL(onPhase, , i < n && phase[1] == 0)
__global__ void nextPhase() { phase[1] ^= 1; }
torch::Tensor phases(torch::Tensor x) {
  RUN(onPhase);
  nextPhase<<<1, 1>>>();
  nextPhase<<<1, 1>>>();
  return y; // accepted: changes back and forth
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("condition", &condition); m.def("element", &element); m.def("counted", &counted);
  m.def("field", &field); m.def("atomics", &atomics); m.def("local", &local);
  m.def("reset", &reset); m.def("errors", &errors); m.def("lastBlock", &lastBlock);
  m.def("phases", &phases);
}
