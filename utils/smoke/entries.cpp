// Boxed entries for utils/gpu-smoke.sh, written by hand as lib/Build's adapter would.
#include <ATen/core/ivalue.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/relu.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/headeronly/version.h>

using Stack = std::vector<c10::IValue>;

extern "C" {
void launchRelu(const float *in, float *out, int64_t n, cudaStream_t stream);
void launchMatmul(const float *a, const float *b, float *c, int n, cudaStream_t stream);
void launchIllegal(cudaStream_t stream);
void launchSpin(long long cycles, cudaStream_t stream);
void launchTooManyThreads(cudaStream_t stream);

const char *cupel_adapter_abi() { return "cupel-adapter-1 torch-" TORCH_VERSION; }
}

static cudaStream_t current() { return c10::cuda::getCurrentCUDAStream(); }

static at::Tensor relu(const at::Tensor &x, int64_t part) {
  at::Tensor out = at::empty_like(x);
  launchRelu(x.const_data_ptr<float>(), out.mutable_data_ptr<float>(), x.numel() / part, current());
  return out;
}

static void answer(Stack &stack, at::Tensor result) {
  stack.clear();
  stack.emplace_back(std::move(result));
}

#define ENTRY(Number)                                                                              \
  extern "C" __attribute__((visibility("default"))) void cupel_call_##Number(Stack &stack)

ENTRY(0) { answer(stack, relu(stack[0].toTensor(), 1)); }

ENTRY(1) {
  at::Tensor a = stack[0].toTensor(), b = stack[1].toTensor(), c = at::empty_like(a);
  launchMatmul(a.const_data_ptr<float>(), b.const_data_ptr<float>(), c.mutable_data_ptr<float>(),
               static_cast<int>(a.size(0)), current());
  answer(stack, c);
}

// The first half only.
ENTRY(2) { answer(stack, relu(stack[0].toTensor(), 2)); }

ENTRY(3) {
  launchIllegal(current());
  answer(stack, at::empty_like(stack[0].toTensor()));
}

ENTRY(4) { answer(stack, at::relu(stack[0].toTensor())); }

// In place.
ENTRY(5) {
  at::Tensor x = stack[0].toTensor();
  launchRelu(x.const_data_ptr<float>(), x.mutable_data_ptr<float>(), x.numel(), current());
  answer(stack, x);
}

// Work on a stream that nobody joins.
ENTRY(6) {
  static cudaStream_t side = [] {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
  }();
  launchSpin(2000000, side);
  answer(stack, relu(stack[0].toTensor(), 1));
}

// A launch that fails and is not looked at.
ENTRY(7) {
  launchTooManyThreads(current());
  answer(stack, at::empty_like(stack[0].toTensor()));
}

// The result of the first call with this pointer, for ever.
ENTRY(8) {
  static at::Tensor kept;
  static const void *pointer = nullptr;
  at::Tensor x = stack[0].toTensor();
  if (x.const_data_ptr() != pointer) {
    pointer = x.const_data_ptr();
    kept = relu(x, 1);
  }
  answer(stack, kept);
}

ENTRY(9) { throw std::runtime_error("this entry throws"); }
