// RUN: not %cupel lint --checks=timing-side-stream %s | FileCheck %s --implicit-check-not='[timing-side-stream]'
// REQUIRES: cupel, torch, cuda-headers

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/extension.h>

namespace own {
struct Stream {};
Stream getStreamFromPool() { return {}; }
void cudaStreamCreateWithFlags() {}
} // namespace own

__global__ void kernel(float *y) { y[0] = 1; }

torch::Tensor forward(torch::Tensor x) {
  cudaStream_t s, t;
  // CHECK: side-stream.cu:[[#@LINE+1]]:3: reject: work on the stream from 'cudaStreamCreateWithFlags' is never joined with the caller's stream [timing-side-stream]
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  // CHECK: :[[#@LINE+1]]:15: reject: work on the stream from 'c10::cuda::getStreamFromPool'{{.*}}[timing-side-stream]
  auto pool = c10::cuda::getStreamFromPool();
  // CHECK: :[[#@LINE+1]]:3: warn: work on the stream from 'cudaStreamCreate'{{.*}}[timing-side-stream]
  cudaStreamCreate(&t);
  // CHECK: :[[#@LINE+1]]:3: warn: work on the stream from 'cudaStreamCreateWithFlags'{{.*}}[timing-side-stream]
  cudaStreamCreateWithFlags(&t, cudaStreamDefault);
  kernel<<<1, 1, 0, s>>>(x.data_ptr<float>());
  auto current = at::cuda::getCurrentCUDAStream();           // accepted: the caller's stream
  kernel<<<1, 1, 0, current>>>(x.data_ptr<float>());         // accepted: a launch on it
  kernel<<<1, 1>>>(x.data_ptr<float>());                     // accepted: the default stream
  kernel<<<1, 1, 0, 0>>>(x.data_ptr<float>());               // accepted: the default stream
  auto standard = c10::cuda::getDefaultCUDAStream();         // accepted: the default stream
  own::getStreamFromPool();                                  // accepted: an own function
  own::cudaStreamCreateWithFlags();                          // accepted: an own function
  cudaStream_t none = nullptr;                               // accepted: a variable
  int least, greatest;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);       // accepted: a query
  cudaEvent_t event;
  cudaEventCreate(&event);                                   // accepted: an event
  using Type = decltype(c10::cuda::getStreamFromPool());     // accepted: not evaluated
  return torch::empty_like(x);
}
