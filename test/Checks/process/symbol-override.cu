// RUN: not %cupel lint --checks=process-symbol-override %s | FileCheck %s --implicit-check-not='[process-symbol-override]'
// REQUIRES: cupel, torch, cuda-headers

#include <cuda_runtime.h>
#include <functional>
#include <torch/extension.h>

// CHECK: symbol-override.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: this definition takes the place of 'cudaEventElapsedTime', which others in the process call [process-symbol-override]
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) {
  *ms = 0;
  return cudaSuccess;
}
// CHECK: :[[#@LINE+1]]:7: reject: this definition takes the place of 'operator new'{{.*}}[process-symbol-override]
void *operator new(size_t size) { return malloc(size); }

namespace own {
cudaError_t cudaEventElapsedTime(float *) { return cudaSuccess; }      // accepted: in a namespace
} // namespace own
cudaError_t cudaEventElapsedTime(float *) { return cudaSuccess; }      // accepted: an overload of its own
static float relu(float x) { return x > 0 ? x : 0; }                   // accepted: static
struct Arena {
  void *operator new(size_t size) { return ::operator new(size); }     // accepted: of a class
  float expf(float x) { return x; }                                    // accepted: a method
};
struct Key { int x; };
template <> struct std::hash<Key> {
  size_t operator()(const Key &k) const { return k.x; }                // accepted: a specialisation
};
__device__ float clampf(float x) { return x; }                         // accepted: device code
template <typename T> T maximum(T a, T b) { return a > b ? a : b; }    // accepted: a template
inline float square(float x) { return x * x; }                         // accepted: inline
extern "C" float cupel_test_helper(float x) { return x; }              // accepted: a name of its own
__global__ void kernel(float *y) { y[0] = clampf(y[0]); }              // accepted: a kernel

torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
