// RUN: %cupel lint --checks=timing-host-clock %s | FileCheck %s --implicit-check-not='[timing-host-clock]'
// REQUIRES: cupel, torch, cuda-headers

#include <chrono>
#include <torch/extension.h>

__global__ void kernel(long long *y) { y[0] = clock64(); } // accepted: device code

torch::Tensor forward(torch::Tensor x) {
  // CHECK: host-clock.cu:[[#@LINE+1]]:15: warn: 'std::chrono::{{.*}}now' reads a clock, which a kernel has no use for [timing-host-clock]
  auto time = std::chrono::steady_clock::now();
  kernel<<<1, 1>>>(nullptr);
  return torch::empty_like(x);
}
