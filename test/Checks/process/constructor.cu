// RUN: not %cupel lint --checks=process-constructor %s | FileCheck %s --implicit-check-not='[process-constructor]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <torch/library.h>

// CHECK: constructor.cu:[[#@LINE+1]]:16: reject: attribute 'constructor' makes a function run, or lie, where nobody calls it [process-constructor]
__attribute__((constructor)) static void early() {}
// CHECK: :[[#@LINE+1]]:16: reject: attribute 'destructor' makes{{.*}}[process-constructor]
__attribute__((destructor)) static void late() {}
// CHECK: :[[#@LINE+1]]:16: reject: attribute 'section' makes{{.*}}[process-constructor]
__attribute__((section(".init"))) void placed() {}

struct Config {
  Config() : tile(32) {}               // accepted: a constructor of a class
  ~Config() {}                         // accepted: a destructor of a class
  int tile;
};
static const int table[4] = {1, 2, 3, 4};                                   // accepted: a table
__attribute__((always_inline)) inline float one(float x) { return x; }      // accepted: inlining
__attribute__((noinline)) float two(float x) { return x; }                  // accepted: inlining
[[maybe_unused]] static float three(float x) { return x; }                  // accepted: a standard attribute
[[nodiscard]] static float four(float x) { return x; }                      // accepted: a standard attribute
__attribute__((unused)) static float five(float x) { return x; }            // accepted: unused
__global__ void __launch_bounds__(256, 2) kernel(float *y) { y[0] = 1; }    // accepted: launch bounds
__device__ __forceinline__ float six(float x) { return x; }                 // accepted: CUDA's attributes
void constructor() {}                                                       // accepted: a name
struct alignas(16) Packed { float x[4]; };                                  // accepted: alignment

torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
TORCH_LIBRARY(constructor_test, m) { m.def("forward(Tensor x) -> Tensor", &forward); } // accepted: torch's registration
