// RUN: not %cupel lint --checks=evasion-host-asm %s | FileCheck %s --implicit-check-not='[evasion-host-asm]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

// CHECK: host-asm.cu:[[#@LINE+1]]:1: reject: assembly in host code can call and change anything [evasion-host-asm]
asm(".globl cupel_test_symbol");

__device__ void copy() { asm volatile("cp.async.commit_group;"); }          // accepted: device code
__device__ __forceinline__ unsigned lane() {
  unsigned id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));                                   // accepted: device code
  return id;
}
template <typename T> __device__ T load(const T *p) {
  T v;
  asm("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(p));                      // accepted: a device template
  return v;
}
struct Pipe {
  __device__ void wait() { asm volatile("cp.async.wait_all;" ::: "memory"); } // accepted: a device method
};
__global__ void kernel(const float *x, float *y) {
  asm volatile("");                                                          // accepted: in a kernel
  asm volatile("bar.sync 0;");                                               // accepted: in a kernel
  auto f = [] __device__ { asm volatile("membar.gl;"); };                    // accepted: a device lambda
  f();
  y[0] = load(x) + lane();
}
const char *text = "asm volatile(rdtsc)";                                    // accepted: text
int assemble = 1;                                                            // accepted: a name

torch::Tensor forward(torch::Tensor x) {
  unsigned low, high;
  // CHECK: :[[#@LINE+1]]:3: reject: assembly in host code{{.*}}[evasion-host-asm]
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  asm volatile("" ::: "memory");                                             // accepted: a compiler barrier, no instruction
  // accepted: asm("nop") in a comment
  return torch::empty_like(x);
}
