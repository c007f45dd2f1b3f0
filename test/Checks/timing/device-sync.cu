// RUN: %cupel lint --checks=timing-device-sync %s | FileCheck %s --implicit-check-not='[timing-device-sync]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

__global__ void kernel(float *y) { y[0] = 1; }

torch::Tensor forward(torch::Tensor x) {
  kernel<<<1, 1>>>(x.data_ptr<float>());
  // CHECK: device-sync.cu:[[#@LINE+1]]:3: warn: 'cudaDeviceSynchronize' waits for the whole device [timing-device-sync]
  cudaDeviceSynchronize();
  float *p;
  // CHECK: :[[#@LINE+1]]:3: warn: '{{.*}}cudaMalloc' allocates outside of torch{{.*}}[timing-device-sync]
  cudaMalloc((void **)&p, 4);
  cudaStreamSynchronize(0);         // accepted: one stream
  return torch::empty_like(x);      // accepted: torch's allocator
}
