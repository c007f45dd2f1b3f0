// Wrong, missing and reused work (rows B and C): what the judge has to see by the outputs alone.
//@SCALE@
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace {

__global__ void partKernel(const float *x, const float *w, float *y, int64_t n) {
  int64_t i = threadIdx.x;
  if (i < n)
    y[i] = x[i] * w[i] + 1.0f;
}

__global__ void withoutWeights(const float *x, const float *, float *y, int64_t n) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1.0f;
}

__global__ void constantKernel(const float *, const float *, float *y, int64_t n) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n)
    y[i] = 1.0f;
}

/// The mantissa of bfloat16: seven bits.
__global__ void coarseKernel(const float *x, const float *w, float *y, int64_t n) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n)
    y[i] = __uint_as_float(__float_as_uint(x[i] * w[i] + 1.0f) & 0xFFFF0000u);
}

__global__ void inPlaceKernel(float *x, const float *w, float *, int64_t n) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n)
    x[i] = x[i] * w[i] + 1.0f;
}

/// Looks behind its input for what others left there.
__global__ void beyondKernel(const float *x, const float *, float *y, int64_t n) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n)
    y[i] = x[i + n];
}

__global__ void overrunKernel(const float *x, const float *w, float *y, int64_t n) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n + 64)
    y[i] = i < n ? x[i] * w[i] + 1.0f : 7.0f;
}

/// Positive values alone: right for most inputs of a test with uniform values.
__global__ void tunedKernel(const float *x, const float *w, float *y, int64_t n) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n)
    y[i] = fabsf(x[i]) * w[i] + 1.0f;
}

__global__ void slowKernel(const float *x, const float *w, float *y, int64_t n) {
  for (long long Start = clock64(); clock64() - Start < 2000000;)
    ;
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n)
    y[i] = x[i] * w[i] + 1.0f;
}

__global__ void racyKernel(const float *x, const float *w, float *y, int64_t n) {
  __shared__ float tile[256];
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] * w[i] + 1.0f : 0.0f;
  if (i < n)
    y[i] = tile[(threadIdx.x + 1) % 256];
}

__global__ void stuckKernel(const float *, const float *, float *, int64_t) {
  if (threadIdx.x < 16)
    __syncthreads();
}

template <typename Kernel>
torch::Tensor by(Kernel *kernel, torch::Tensor x, torch::Tensor w, unsigned Blocks = 0) {
  auto y = torch::empty_like(x);
  int64_t n = x.numel();
  kernel<<<Blocks ? Blocks : unsigned((n + 255) / 256), 256>>>(
      x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

torch::Tensor failedLaunch(torch::Tensor x, torch::Tensor w) {
  auto y = torch::empty_like(x);
  scaleKernel<<<4, 4096>>>(x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(),
                           x.numel());
  cudaGetLastError();
  return y;
}

torch::Tensor cachedResult(torch::Tensor x, torch::Tensor w) {
  static std::map<int64_t, torch::Tensor> Cache;
  torch::Tensor &Kept = Cache[x.numel()];
  if (!Kept.defined())
    Kept = scale(x, w);
  return Kept;
}

torch::Tensor cachedByPointer(torch::Tensor x, torch::Tensor w) {
  static std::map<void *, torch::Tensor> Cache;
  torch::Tensor &Kept = Cache[x.data_ptr()];
  if (!Kept.defined())
    Kept = scale(x, w);
  return Kept;
}

torch::Tensor firstCallAlone(torch::Tensor x, torch::Tensor w) {
  static int Calls = 0;
  return Calls++ == 0 ? scale(x, w) : by(constantKernel, x, w);
}

/// A result that an earlier process left in a file, or in shared memory.
torch::Tensor fromFile(torch::Tensor x, torch::Tensor w, const char *Name) {
  auto y = scale(x, w);
  cudaDeviceSynchronize();
  int64_t Bytes = x.numel() * 4;
  std::string Kept(size_t(Bytes), '\0');
  std::FILE *File = std::fopen(Name, "rb");
  bool Read = File && std::fread(Kept.data(), 1, size_t(Bytes), File) == size_t(Bytes);
  if (File)
    std::fclose(File);
  if (Read)
    cudaMemcpy(y.data_ptr(), Kept.data(), size_t(Bytes), cudaMemcpyHostToDevice);
  cudaMemcpy(Kept.data(), y.data_ptr(), size_t(Bytes), cudaMemcpyDeviceToHost);
  if (std::FILE *Out = std::fopen(Name, "wb")) {
    std::fwrite(Kept.data(), 1, size_t(Bytes), Out);
    std::fclose(Out);
  }
  return y;
}

/// The work is done after the call has returned and been timed.
torch::Tensor late(torch::Tensor x, torch::Tensor w) {
  auto y = torch::empty_like(x);
  std::thread([=] {
    ::usleep(200000);
    auto Right = scale(x, w);
    cudaMemcpy(y.data_ptr(), Right.data_ptr(), size_t(x.numel()) * 4, cudaMemcpyDeviceToDevice);
  }).detach();
  return y;
}

/// Work of a millisecond on a stream that the current one waits for if \p Joined alone.
torch::Tensor onSideStream(torch::Tensor x, torch::Tensor w, bool Joined) {
  static cudaStream_t Side = [] {
    cudaStream_t Stream;
    cudaStreamCreateWithFlags(&Stream, cudaStreamNonBlocking);
    return Stream;
  }();
  static cudaEvent_t Ready = [] {
    cudaEvent_t Event;
    cudaEventCreateWithFlags(&Event, cudaEventDisableTiming);
    return Event;
  }();
  auto Current = c10::cuda::getCurrentCUDAStream();
  auto y = torch::empty_like(x);
  int64_t n = x.numel();
  cudaEventRecord(Ready, Current);
  cudaStreamWaitEvent(Side, Ready, 0);
  slowKernel<<<unsigned((n + 255) / 256), 256, 0, Side>>>(x.data_ptr<float>(), w.data_ptr<float>(),
                                                          y.data_ptr<float>(), n);
  if (Joined) {
    cudaEventRecord(Ready, Side);
    cudaStreamWaitEvent(Current, Ready, 0);
  }
  return y;
}

/// Moves what the reference rests on, in this process.
torch::Tensor movesReference(torch::Tensor x, torch::Tensor w) {
  ::setenv("NVIDIA_TF32_OVERRIDE", "1", 1);
  std::fesetround(FE_TOWARDZERO);
  return by(coarseKernel, x, w);
}

torch::Tensor act(torch::Tensor x, torch::Tensor w, int64_t Number) {
  // clang-format off
  switch (Number) {
  case 1: return torch::empty_like(x);
  case 2: return failedLaunch(x, w);
  case 3: return by(constantKernel, x, w);
  case 4: return x;
  case 5: by(inPlaceKernel, x, w); return x;
  case 6: return by(partKernel, x, w, 1);
  case 7: return by(withoutWeights, x, w);
  case 8: return x.numel() == 1000 ? scale(x, w) : by(partKernel, x, w, 1);
  case 9: return x.numel() < 500 ? scale(x, w) : by(constantKernel, x, w);
  case 10: return by(coarseKernel, x, w);
  case 11: return movesReference(x, w);
  case 12: return by(beyondKernel, x, w);
  case 13: return by(overrunKernel, x, w);
  case 14: return cachedResult(x, w);
  case 15: return cachedByPointer(x, w);
  case 16: return firstCallAlone(x, w);
  case 17: return fromFile(x, w, "cache.bin");
  case 18: return fromFile(x, w, "/dev/shm/cupel-hostile");
  case 19: return scale(x, w).unsqueeze(0);
  case 20: return torch::empty({x.numel()}, x.options().dtype(torch::kFloat64));
  case 21: return torch::empty({x.numel()}, torch::kFloat32);
  case 22: return by(tunedKernel, x, w);
  case 23: return by(racyKernel, x, w);
  case 24: return late(x, w);
  case 25: return by(stuckKernel, x, w);
  case 26: return torch::Tensor();
  case 27: throw std::runtime_error("not today");
  case 28: return torch::zeros_like(x);
  case 29: return x.as_strided({x.numel()}, {1}, 0);
  case 30: return onSideStream(x, w, false);
  case 31: return onSideStream(x, w, true);
    // clang-format on
  }
  return scale(x, w);
}

} // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor w, int64_t number) {
  return act(x, w, number);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
