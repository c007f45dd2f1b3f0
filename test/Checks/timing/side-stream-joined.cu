// Streams of its own that the caller's stream waits for, by way of events, the host or other code.
//
// RUN: %cupel lint --checks=timing-side-stream %s | FileCheck %s --implicit-check-not='[timing-side-stream]'
// REQUIRES: cupel, torch, cuda-headers
// CHECK: accepted

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>
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

static void launch(const torch::Tensor &x, torch::Tensor &y, cudaStream_t stream) {
  kernel<<<1, 1, 0, stream>>>(x.data_ptr<float>(), y.data_ptr<float>());
}

static void join(cudaStream_t side) { cudaStreamSynchronize(side); }

static cudaEvent_t makeEvent() {
  cudaEvent_t event;
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  return event;
}

// An event of the current stream makes the side stream wait, and one of the side stream the current.
torch::Tensor forkAndJoin(torch::Tensor x) {
  auto y = torch::empty_like(x);
  static cudaStream_t side = nullptr;
  static cudaEvent_t ready, done;
  if (side == nullptr) {
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  }
  cudaStream_t current = at::cuda::getCurrentCUDAStream();
  cudaEventRecord(ready, current);
  cudaStreamWaitEvent(side, ready, 0);
  launch(x, y, side);
  cudaEventRecord(done, side);
  cudaStreamWaitEvent(current, done, 0);
  return y;
}

// One event for both ways, and raw handles of torch's streams.
torch::Tensor sameEvent(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto side = at::cuda::getStreamFromPool();
  cudaStream_t raw = side.stream();
  cudaEvent_t event = makeEvent();
  cudaEventRecord(event, at::cuda::getCurrentCUDAStream());
  cudaStreamWaitEvent(raw, event, 0);
  kernel<<<1, 1, 0, raw>>>(x.data_ptr<float>(), y.data_ptr<float>());
  cudaEventRecord(event, side);
  cudaStreamWaitEvent(at::cuda::getCurrentCUDAStream().stream(), event, 0);
  return y;
}

// Through a third stream, which the host waits for.
torch::Tensor chain(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto first = at::cuda::getStreamFromPool(), second = at::cuda::getStreamFromPool();
  at::cuda::CUDAEvent between;
  kernel<<<1, 1, 0, first>>>(x.data_ptr<float>(), y.data_ptr<float>());
  between.record(first);
  between.block(second);
  second.synchronize();
  return y;
}

// Several streams; each round waits for the one before.
torch::Tensor rounds(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaStream_t streams[2];
  cudaEvent_t events[2];
  for (int i = 0; i < 2; ++i) {
    cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    cudaEventCreate(&events[i]);
  }
  for (int i = 0; i < 8; ++i) {
    kernel<<<1, 1, 0, streams[i % 2]>>>(x.data_ptr<float>(), y.data_ptr<float>());
    cudaEventRecord(events[i % 2], streams[i % 2]);
  }
  for (int i = 0; i < 2; ++i) {
    cudaStreamWaitEvent(at::cuda::getCurrentCUDAStream(), events[i], 0);
    cudaStreamDestroy(streams[i]);
  }
  return y;
}

// A guard makes the side stream the current one, where torch's events are then recorded.
torch::Tensor guarded(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto current = at::cuda::getCurrentCUDAStream();
  auto side = at::cuda::getStreamFromPool();
  at::cuda::CUDAEvent done;
  {
    at::cuda::CUDAStreamGuard guard(side);
    kernel<<<1, 1, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>());
    done.record();
  }
  done.block(current);
  return y;
}

// What waits is another function, a closure or a destructor.
struct Joined {
  cudaStream_t stream;
  explicit Joined(cudaStream_t stream) : stream(stream) {}
  ~Joined() { cudaStreamSynchronize(stream); }
};

torch::Tensor elsewhere(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaStream_t a, b, c;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
  Joined last(c);
  auto finish = [&] { cudaStreamSynchronize(b); };
  kernel<<<1, 1, 0, a>>>(x.data_ptr<float>(), y.data_ptr<float>());
  kernel<<<1, 1, 0, b>>>(x.data_ptr<float>(), y.data_ptr<float>());
  kernel<<<1, 1, 0, c>>>(x.data_ptr<float>(), y.data_ptr<float>());
  join(a);
  finish();
  return y;
}

// Launch and join stand under the same condition.
torch::Tensor conditional(torch::Tensor x, bool split) {
  auto y = torch::empty_like(x);
  cudaStream_t side = at::cuda::getCurrentCUDAStream();
  cudaStream_t own;
  cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  if (split)
    kernel<<<1, 1, 0, own>>>(x.data_ptr<float>(), y.data_ptr<float>());
  else
    kernel<<<1, 1, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>());
  if (split)
    cudaStreamSynchronize(own);
  return y;
}

// A name that may stand for either stream.
torch::Tensor either(torch::Tensor x, bool split) {
  auto y = torch::empty_like(x);
  cudaStream_t side;
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  cudaStream_t chosen = side;
  if (!split)
    chosen = at::cuda::getCurrentCUDAStream();
  kernel<<<1, 1, 0, chosen>>>(x.data_ptr<float>(), y.data_ptr<float>());
  kernel<<<1, 1, 0, side>>>(x.data_ptr<float>(), y.data_ptr<float>());
  cudaStreamSynchronize(chosen);
  return y;
}

torch::Tensor perThread(torch::Tensor x) {
  auto y = torch::empty_like(x);
  kernel<<<1, 1, 0, cudaStreamPerThread>>>(x.data_ptr<float>(), y.data_ptr<float>());
  cudaStreamSynchronize(cudaStreamPerThread);
  return y;
}
