// RUN: %cupel lint --checks=work-copied-input,work-constant-output %s | FileCheck %s --implicit-check-not='[work-'
// RUN: not %cupel lint --checks=work-copied-input --problem %S/../Inputs/elementwise.toml %S/Inputs/copied.cu | FileCheck %s --check-prefix=PROBLEM-CHECK
// PROBLEM-CHECK: copied.cu:8:37: reject: no kernel computes anything: each stores what it loaded, or a constant [work-copied-input]
// REQUIRES: cupel, torch, cuda-headers

#include <cuda_fp16.h>
#include <torch/extension.h>

#define ENTRY(NAME)                                                                                \
  torch::Tensor run_##NAME(torch::Tensor x) {                                                      \
    auto y = torch::empty_like(x);                                                                 \
    NAME<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());                         \
    return y;                                                                                      \
  }

__global__ void copy(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i];
}
// CHECK: copied-input.cu:[[#@LINE+1]]:{{.*}}note: no kernel computes anything: each stores what it loaded, or a constant [work-copied-input]
ENTRY(copy)
__global__ void readOnly(const float *__restrict__ x, float *__restrict__ y, int n) {
  float v = __ldg(x + threadIdx.x);
  __stcs(&y[threadIdx.x], v);
}
// CHECK: :[[#@LINE+1]]:{{.*}}[work-copied-input]
ENTRY(readOnly)
__global__ void vectors(const float *x, float *y, int n) {
  const float4 v = reinterpret_cast<const float4 *>(x)[threadIdx.x];
  reinterpret_cast<float4 *>(y)[threadIdx.x] = make_float4(v.x, v.y, v.z, v.w);
}
// CHECK: :[[#@LINE+1]]:{{.*}}[work-copied-input]
ENTRY(vectors)
__global__ void staged(const float *x, float *y, int n) {
  __shared__ float tile[256];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];
}
// CHECK: :[[#@LINE+1]]:{{.*}}[work-copied-input]
ENTRY(staged)
template <typename T> __device__ T pass(T v) { return v; }
template <typename T> __device__ void move(T *to, const T *from) { *to = pass(*from); }
__global__ void helpers(const float *x, float *y, int n) { move(y + threadIdx.x, x + threadIdx.x); }
// CHECK: :[[#@LINE+1]]:{{.*}}[work-copied-input]
ENTRY(helpers)
__global__ void dead(const float *x, float *y, int n) {
  if (n < 0)
    y[0] = x[0];
}
// CHECK: :[[#@LINE+1]]:{{.*}}[work-copied-input]
ENTRY(dead)

__global__ void relu(const float *x, float *y, int n) { y[threadIdx.x] = fmaxf(x[threadIdx.x], 0.f); }
ENTRY(relu)                                          // accepted: a function of the data
__global__ void doubled(const float *x, float *y, int n) { y[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x]; }
ENTRY(doubled)                                       // accepted: arithmetic
__global__ void select(const float *x, float *y, int n) { float v = x[threadIdx.x]; y[threadIdx.x] = v > 0 ? v : 0; }
ENTRY(select)                                        // accepted: a decision on data
__global__ void branch(const float *x, float *y, int n) {
  float v = x[threadIdx.x];
  if (v < 0)
    v = 0;
  y[threadIdx.x] = v;
}
ENTRY(branch)                                        // accepted: a branch on data
__global__ void gather(const float *x, float *y, int n) { y[threadIdx.x] = x[(int)x[threadIdx.x]]; }
ENTRY(gather)                                        // accepted: an index that was loaded
__global__ void convert(const float *x, float *y, int n) { ((__half *)y)[threadIdx.x] = __float2half(x[threadIdx.x]); }
ENTRY(convert)                                       // accepted: a conversion
__global__ void accumulate(const float *x, float *y, int n) { atomicAdd(y, x[threadIdx.x]); }
ENTRY(accumulate)                                    // accepted: a sum by atomics
__global__ void reduce(const float *x, float *y, int n) {
  __shared__ float part[256];
  part[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int s = 128; s; s /= 2) {
    if (threadIdx.x < s)
      part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  y[0] = part[0];
}
ENTRY(reduce)                                        // accepted: a sum in shared memory
struct Square { __device__ float operator()(float v) const { return v * v; } };
__global__ void functor(const float *x, float *y, int n) { Square f; y[threadIdx.x] = f(x[threadIdx.x]); }
ENTRY(functor)                                       // accepted: a functor
__device__ void intoReference(float v, float &to) { to = v * 2; }
__global__ void reference(const float *x, float *y, int n) { float v; intoReference(x[threadIdx.x], v); y[threadIdx.x] = v; }
ENTRY(reference)                                     // accepted: work behind a reference
__global__ void pointer(const float *x, float *y, int n) {
  float v[2] = {x[threadIdx.x], 0}, *p = v;
  p[1] = p[0] * 3;
  y[threadIdx.x] = v[1];
}
ENTRY(pointer)                                       // accepted: work behind a pointer
__global__ void assembler(const float *x, float *y, int n) {
  asm("" ::: "memory");
  y[threadIdx.x] = x[threadIdx.x];
}
ENTRY(assembler)                                     // accepted: not looked into
__global__ void loops(const float *x, float *y, int n) {
  float last = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = last;
    last = sum;
    sum += x[i];
  }
}
ENTRY(loops)                                         // accepted: work of the round before

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("copy", &run_copy);
  m.def("readOnly", &run_readOnly);
  m.def("vectors", &run_vectors);
  m.def("staged", &run_staged);
  m.def("helpers", &run_helpers);
  m.def("dead", &run_dead);
  m.def("relu", &run_relu);
  m.def("doubled", &run_doubled);
  m.def("select", &run_select);
  m.def("branch", &run_branch);
  m.def("gather", &run_gather);
  m.def("convert", &run_convert);
  m.def("accumulate", &run_accumulate);
  m.def("reduce", &run_reduce);
  m.def("functor", &run_functor);
  m.def("reference", &run_reference);
  m.def("pointer", &run_pointer);
  m.def("assembler", &run_assembler);
  m.def("loops", &run_loops);
}
