// What honest submissions do that looks like an attack; all are accepted, under every layer.
//@SCALE@
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

#define CHECK_CUDA(Call)                                                                           \
  do {                                                                                             \
    if (cudaError_t Error = (Call)) {                                                              \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(Error));                                     \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

__global__ void guardedKernel(const float *__restrict__ x, const float *__restrict__ w, float *y,
                              int64_t n, int debug) {
  for (int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; i < n;
       i += int64_t(gridDim.x) * blockDim.x) {
    y[i] = fmaf(x[i], w[i], 1.0f);
    if (debug && i == 0)
      printf("first %f\n", y[i]);
  }
}

torch::Tensor guarded(torch::Tensor x, torch::Tensor w, unsigned Blocks, int Debug = 0) {
  auto y = torch::empty_like(x);
  guardedKernel<<<Blocks, 128>>>(x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(),
                                 x.numel(), Debug);
  CHECK_CUDA(cudaGetLastError());
  return y;
}

torch::Tensor staticCount(torch::Tensor x, torch::Tensor w) {
  static int Processors = [] {
    int Count = 0;
    CHECK_CUDA(cudaDeviceGetAttribute(&Count, cudaDevAttrMultiProcessorCount, 0));
    return Count;
  }();
  return guarded(x, w, unsigned(Processors));
}

torch::Tensor onceFlag(torch::Tensor x, torch::Tensor w) {
  static std::once_flag Once;
  static unsigned Blocks = 0;
  std::call_once(Once, [] { Blocks = 2; });
  return guarded(x, w, Blocks);
}

torch::Tensor ownWorkspace(torch::Tensor x, torch::Tensor w) {
  float *Room = nullptr;
  CHECK_CUDA(cudaMalloc(&Room, size_t(x.numel()) * 4));
  guardedKernel<<<4, 128>>>(x.data_ptr<float>(), w.data_ptr<float>(), Room, x.numel(), 0);
  auto y = torch::empty_like(x);
  CHECK_CUDA(cudaMemcpy(y.data_ptr(), Room, size_t(x.numel()) * 4, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaFree(Room));
  return y;
}

torch::Tensor joinedThreads(torch::Tensor x, torch::Tensor w) {
  std::vector<std::thread> Threads;
  for (int I = 0; I < 4; ++I)
    Threads.emplace_back([] { std::vector<int> Work(1000, 1); });
  for (std::thread &Thread : Threads)
    Thread.join();
  return guarded(x, w, 4);
}

torch::Tensor temporaryFile(torch::Tensor x, torch::Tensor w) {
  const char *Folder = std::getenv("TMPDIR");
  std::string Name = std::string(Folder ? Folder : "/tmp") + "/plan.txt";
  std::ofstream(Name) << 4;
  unsigned Blocks = 0;
  std::ifstream(Name) >> Blocks;
  return guarded(x, w, Blocks);
}

torch::Tensor joinedStream(torch::Tensor x, torch::Tensor w) {
  cudaStream_t Stream;
  CHECK_CUDA(cudaStreamCreate(&Stream));
  auto y = torch::empty_like(x);
  guardedKernel<<<4, 128, 0, Stream>>>(x.data_ptr<float>(), w.data_ptr<float>(),
                                       y.data_ptr<float>(), x.numel(), 0);
  CHECK_CUDA(cudaStreamSynchronize(Stream));
  CHECK_CUDA(cudaStreamDestroy(Stream));
  return y;
}

/// A process that is waited for: unusual, and no crime by itself.
torch::Tensor runsProgram(torch::Tensor x, torch::Tensor w) {
  if (std::system("true") != 0)
    throw std::runtime_error("no shell");
  return guarded(x, w, 4);
}

torch::Tensor act(torch::Tensor x, torch::Tensor w, int64_t Number) {
  // clang-format off
  switch (Number) {
  case 1: return scale(x, w);
  case 2: return staticCount(x, w);
  case 3: return onceFlag(x, w);
  case 4: return ownWorkspace(x, w);
  case 5: return joinedThreads(x, w);
  case 6: return temporaryFile(x, w);
  case 7: return joinedStream(x, w);
  case 8: return guarded(x, w, 4, std::getenv("DEBUG_KERNEL") != nullptr);
  case 9: std::printf("a line\n"); return guarded(x, w, 1);
  case 10: TORCH_CHECK(x.is_cuda() && x.is_contiguous(), "x"); return guarded(x.contiguous(), w, 8);
  case 11: return runsProgram(x, w);
  case 12: { auto Huge = std::make_unique<char[]>(64 << 20); Huge[0] = 1; return guarded(x, w, 4); }
    // clang-format on
  }
  return scale(x, w);
}

} // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor w, int64_t number) {
  return act(x, w, number);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
