// Joins that join nothing: what waits, on what, and after which launch decides.
//
// RUN: not %cupel lint --checks=timing-side-stream %s | FileCheck %s --implicit-check-not='[timing-side-stream]'
// REQUIRES: cupel, torch, cuda-headers

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <torch/extension.h>

__global__ void kernel(const float *x, float *y) { y[0] = x[0]; }

static void launch(const torch::Tensor &x, torch::Tensor &y, cudaStream_t stream) {
  kernel<<<1, 1, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>());
}

torch::Tensor recordedBefore(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaStream_t side;
  cudaEvent_t done;
  // CHECK: side-stream-order.cu:[[#@LINE+1]]:3: reject: work on the stream from 'cudaStreamCreateWithFlags' is never joined with the caller's stream [timing-side-stream]
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaEventCreate(&done);
  cudaEventRecord(done, side);
  // CHECK: side-stream-order.cu:[[#@LINE+1]]:3: note: nothing waits for this launch
  kernel<<<1, 1, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>());
  cudaStreamWaitEvent(at::cuda::getCurrentCUDAStream(), done, 0);
  return y;
}

torch::Tensor recordedElsewhere(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto current = at::cuda::getCurrentCUDAStream();
  // CHECK: :[[#@LINE+1]]:15: reject: {{.*}}[timing-side-stream]
  auto side = at::cuda::getStreamFromPool();
  at::cuda::CUDAEvent done;
  kernel<<<1, 1, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>());
  done.record(current);
  done.block(current);
  return y;
}

torch::Tensor neverRecorded(torch::Tensor x) {
  auto y = torch::empty_like(x);
  static cudaStream_t side = nullptr;
  static cudaEvent_t done;
  if (!side) {
    // CHECK: :[[#@LINE+1]]:5: reject: {{.*}}[timing-side-stream]
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  }
  launch(x, y, side);
  cudaStreamWaitEvent(at::cuda::getCurrentCUDAStream(), done, 0);
  return y;
}

torch::Tensor otherStream(torch::Tensor x) {
  auto y = torch::empty_like(x);
  // CHECK: :[[#@LINE+1]]:15: reject: {{.*}}[timing-side-stream]
  auto side = at::cuda::getStreamFromPool(), other = at::cuda::getStreamFromPool();
  at::cuda::CUDAEvent done;
  kernel<<<1, 1, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>());
  done.record(side);
  done.block(other);
  return y;
}

torch::Tensor otherSynchronized(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaStream_t streams[1], other;
  // CHECK: :[[#@LINE+1]]:3: reject: {{.*}}[timing-side-stream]
  cudaStreamCreateWithFlags(&streams[0], cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "kernel", [&] {
    kernel<<<1, 1, 0, streams[0]>>>(x.data_ptr<float>(), y.data_ptr<float>());
  });
  cudaStreamSynchronize(other);
  return y;
}

torch::Tensor sooner(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaStream_t side;
  // CHECK: :[[#@LINE+1]]:3: reject: {{.*}}[timing-side-stream]
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  goto start; // What stands first in the text runs last.
finish:
  kernel<<<1, 1, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
start:
  cudaStreamSynchronize(side);
  goto finish;
}

// The two streams that the runtime orders with the legacy default stream by itself.
torch::Tensor blocking(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaStream_t side;
  // CHECK: :[[#@LINE+1]]:3: warn: work on the stream from 'cudaStreamCreate' is never joined{{.*}}[timing-side-stream]
  cudaStreamCreate(&side);
  cudaStreamSynchronize(side);
  kernel<<<1, 1, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}

torch::Tensor perThread(torch::Tensor x) {
  auto y = torch::empty_like(x);
  // CHECK: :[[#@LINE+1]]:3: warn: work on 'cudaStreamPerThread' is never joined with the caller's stream [timing-side-stream]
  kernel<<<1, 1, 0, cudaStreamPerThread>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
