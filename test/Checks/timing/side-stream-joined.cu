// Streams of its own that the caller's stream waits for, through torch's events.
//
// RUN: %cupel lint --checks=timing-side-stream %s | FileCheck %s --implicit-check-not='[timing-side-stream]'
// REQUIRES: cupel, torch, cuda-headers
// CHECK: accepted

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <torch/extension.h>

__global__ void kernel(const float *x, float *y) { y[0] = x[0]; }

torch::Tensor forward(torch::Tensor x) {
  auto current = at::cuda::getCurrentCUDAStream();
  auto side = at::cuda::getStreamFromPool();
  at::cuda::CUDAEvent ready, done;
  auto y = torch::empty_like(x);
  ready.record(current);
  ready.block(side);
  kernel<<<1, 1, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>());
  done.record(side);
  done.block(current);
  return y;
}
