// RUN: not %cupel lint --checks=evasion-hidden-code %s | FileCheck %s --implicit-check-not='[evasion-hidden-code]' --implicit-check-not=error:
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

// What one compiler reads and the other does not.
__global__ void scale(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef __clang__
  // CHECK: hidden-code.cu:[[#@LINE+1]]:3: warn: this code is not the same for the compiler that judges and the one that builds: '__clang__' decides [evasion-hidden-code]
  if (x[0] == y[0])
    return;
#endif
  if (i < n)
    y[i] = 2 * x[i];
}

torch::Tensor hidden(torch::Tensor x) {
  auto y = torch::empty_like(x);
#ifndef __clang__
  // CHECK: :[[#@LINE+1]]:3: reject: this code is not the same{{.*}}'__clang__' decides [evasion-hidden-code]
  return x * 2;
#endif
#if defined(__NVCC__) && !defined(NEVER)
  // CHECK: :[[#@LINE+1]]:3: reject: {{.*}}'__NVCC__' decides{{.*}}[evasion-hidden-code]
  y = x.mul(2);
#endif
#ifdef __clang__
  // CHECK: :[[#@LINE+1]]:3: reject: {{.*}}'__clang__' decides{{.*}}[evasion-hidden-code]
  scale<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
#else
  x.mul_(2);
#endif
#if __has_feature(cxx_rtti)
  // CHECK: :[[#@LINE+1]]:3: reject: {{.*}}'__has_feature' decides{{.*}}[evasion-hidden-code]
  scale<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
#endif
#if __has_include(<cupel/prefix-cuda.h>)
  // CHECK: :[[#@LINE+1]]:3: reject: {{.*}}'__has_include' decides{{.*}}[evasion-hidden-code]
  scale<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
#endif
#ifdef __FLT128_MAX__ // gcc's alone
  // CHECK: :[[#@LINE+1]]:3: reject: {{.*}}'__FLT128_MAX__' decides{{.*}}[evasion-hidden-code]
  return x + x;
#endif
  // CHECK: :[[#@LINE+1]]:7: reject: this code{{.*}}'__GNUC_MINOR__' decides{{.*}}[evasion-hidden-code]
  if (__GNUC_MINOR__ != 0)
    return x + x;
  return y;
}

// Through macros of the submission.
#ifdef __NVCC__
#define WORK(y, x) y = x.mul(2)
#define FAST 1
#else
#define WORK(y, x) scale<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel())
#define FAST 0
#endif
#define INDIRECT FAST
#ifdef __clang__
#define KEEP(x)
#else
#define KEEP(x) x
#endif
torch::Tensor throughMacros(torch::Tensor x) {
  auto y = torch::empty_like(x);
  // CHECK: :[[#@LINE+1]]:3: reject: 'WORK' is not the same{{.*}}'__NVCC__' decides{{.*}}[evasion-hidden-code]
  WORK(y, x);
  // CHECK: :[[#@LINE+1]]:7: reject: 'INDIRECT' is not the same{{.*}}'__NVCC__' decides{{.*}}[evasion-hidden-code]
  if (INDIRECT)
    y = x + x;
#if FAST
  // CHECK: :[[#@LINE+1]]:3: reject: this code{{.*}}'__NVCC__' decides{{.*}}[evasion-hidden-code]
  y = x + x;
#endif
  // CHECK: :[[#@LINE+1]]:3: reject: 'KEEP' is not the same{{.*}}'__clang__' decides{{.*}}[evasion-hidden-code]
  KEEP(return x + x;)
  return y;
}

// Whole functions.
#if __NVCC__
// CHECK: :[[#@LINE+1]]:1: reject: this code{{.*}}'__NVCC__' decides{{.*}}[evasion-hidden-code]
torch::Tensor whole(torch::Tensor x) { return x.mul(2); }
#endif
#if __NVCC__
// CHECK: :[[#@LINE+1]]:1: warn: this code{{.*}}'__NVCC__' decides{{.*}}[evasion-hidden-code]
__device__ float twice(float x) { return 2 * x; }
#endif
__device__ void before() {
#ifdef __NVCC__
// CHECK: :[[#@LINE+1]]:1: reject: this code{{.*}}'__NVCC__' decides{{.*}}[evasion-hidden-code]
}
torch::Tensor between(torch::Tensor x) { return x.mul(2); }
__device__ void after() {
#endif
}

// Look-alikes.
#if defined(__clang__) || defined(__GNUC__) // accepted: true for both
#define LIKELY(x) __builtin_expect(!!(x), 1)
#else
#define LIKELY(x) (x)
#endif
#ifdef __NVCC__
#pragma nv_diag_suppress 177 // accepted: a pragma
#endif
#ifdef __clang__
#define UNROLL _Pragma("unroll") // accepted: a hint
#define INLINE __attribute__((always_inline)) inline
#else
#define UNROLL _Pragma("unroll 4")
#define INLINE __forceinline__
#endif
#if defined(_MSC_VER) && !defined(__clang__)
#define RESTRICT __restrict // accepted: no compiler of Linux
#else
#define RESTRICT __restrict__
#endif
#ifdef __CUDACC__
#define HD __host__ __device__ // accepted: both define it
#else
#define HD
#endif
#ifndef __MY_KERNEL_H__ // accepted: a name of its own
#define __MY_KERNEL_H__
#define TILE 16
#endif
#if __CUDACC_VER_MAJOR__ >= 11 && CUDART_VERSION >= 11000 // accepted: the same version for both
#define ITEMS 4
#else
#define ITEMS 2
#endif
#if __GNUC__ < 6 // accepted: the same gcc for both
#define USE_KERNEL 0
#else
#define USE_KERNEL 1
#endif
#if __CUDACC_VER_MAJOR__ != CUDA_VERSION / 1000 || __GNUC__ != _GLIBCXX_RELEASE
#error "other versions than those that build"
#endif
#if __has_include(<cuda_fp8.h>) // accepted: one toolkit
#define HAS_FP8 1
#endif
#if 0 && defined(__NVCC__)
torch::Tensor nobodys(torch::Tensor x) { return x + x; } // accepted: nobody reads it
#endif
#ifdef __HIP_PLATFORM_AMD__
#ifndef __clang__
torch::Tensor amds(torch::Tensor x) { return x + x; } // accepted: for another GPU
#endif
#endif
#if !defined(__NVCC__) && !defined(__clang__)
#error "needs nvcc or clang" // accepted: no code
#endif

INLINE HD float triple(float x) { return 3 * x; }

__global__ void kernel(const float *RESTRICT x, float *RESTRICT y, int n) {
  UNROLL
  for (int item = 0; item < ITEMS; ++item) {
    int i = (blockIdx.x * ITEMS + item) * blockDim.x + threadIdx.x;
#if __CUDA_ARCH__ >= 800
    float v = __ldg(x + min(i, n - 1)); // accepted: the GPU's architecture
#else
    float v = x[min(i, n - 1)];
#endif
#ifdef __clang__
#pragma unroll // accepted: a pragma
#else
#pragma unroll 4
#endif
    for (int k = 0; k < 2; ++k)
      v += 1;
    if (LIKELY(i < n))
      y[i] = triple(v);
  }
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
#if USE_KERNEL
  kernel<<<(x.numel() + 1023) / 1024, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
#endif
#ifdef HAS_FP8
  TORCH_CHECK(sizeof(__nv_fp8_storage_t) == 1); // accepted: what a header chose
#endif
#ifdef _DEBUG
  printf("%s:%d of %d\n", __FILE__, __LINE__, TILE);
#endif
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
