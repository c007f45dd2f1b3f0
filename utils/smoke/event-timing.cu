// Times a kernel of kernels.cu by hand, as one does without any tool: for each number read from standard input,
// that many samples of its time in microseconds, on one line. utils/bench-timing.py compares them with cupel's.
//
//   event-timing relu|matmul SIZE [clean]    SIZE: floats of a tensor, or rows of a square matrix
//
// The L2 cache is cold; with `clean`, none of what flushed it is still to be written to memory either, as in cupel's
// profiles, so that a profiler around this program may leave the caches alone (utils/bench-counters.py).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <functional>
#include <vector>

extern "C" void launchRelu(const float *in, float *out, int64_t n, cudaStream_t stream);
extern "C" void launchMatmul(const float *a, const float *b, float *c, int n, cudaStream_t stream);

static void check(cudaError_t status) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "event-timing: %s\n", cudaGetErrorString(status));
  std::exit(1);
}

// Values between -1 and 1 without a pattern: those of zeros draw less power.
__global__ void fill(float *to, int64_t n, unsigned seed) {
  int64_t stride = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    unsigned bits = unsigned(i) * 2654435761u + seed;
    bits = (bits ^ (bits >> 16)) * 0x45d9f3bu;
    bits = (bits ^ (bits >> 16)) * 0x45d9f3bu;
    to[i] = float(bits ^ (bits >> 16)) / 2147483648.f - 1;
  }
}

__global__ void readAll(const float *from, int64_t n, float *sum) {
  int64_t stride = int64_t(gridDim.x) * blockDim.x;
  float mine = 0;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    mine += from[i];
  if (mine == 1) // Never, of zeros; without a use the reads would go.
    *sum = mine;
}

static float *tensor(int64_t n, unsigned seed) {
  float *data = nullptr;
  check(cudaMalloc(&data, n * sizeof(float)));
  fill<<<1024, 256>>>(data, n, seed);
  return data;
}

static std::function<void()> callOf(const char *kernel, int64_t size) {
  if (!std::strcmp(kernel, "relu")) {
    float *in = tensor(size, 1), *out = tensor(size, 2);
    return [=] { launchRelu(in, out, size, nullptr); };
  }
  float *a = tensor(size * size, 1), *b = tensor(size * size, 2), *c = tensor(size * size, 3);
  return [=] { launchMatmul(a, b, c, int(size), nullptr); };
}

int main(int count, char **arguments) {
  bool clean = count == 4 && !std::strcmp(arguments[3], "clean");
  if (count != 3 && !clean)
    return std::fputs("event-timing relu|matmul SIZE [clean]\n", stderr), 2;
  std::function<void()> call = callOf(arguments[1], std::atoll(arguments[2]));
  int l2 = 0;
  check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
  char *flushed = nullptr;
  check(cudaMalloc(&flushed, 2 * size_t(l2)));
  cudaEvent_t start, end;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&end));
  for (int samples; std::scanf("%d", &samples) == 1; std::fflush(stdout)) {
    for (int i = 0; i < samples; ++i) {
      check(cudaMemsetAsync(flushed, clean ? 0 : i, 2 * size_t(l2), nullptr));
      if (clean)
        readAll<<<1024, 256>>>(reinterpret_cast<float *>(flushed), 2 * int64_t(l2) / 4, reinterpret_cast<float *>(flushed));
      check(cudaEventRecord(start));
      call();
      check(cudaEventRecord(end));
      check(cudaDeviceSynchronize());
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, start, end));
      std::printf("%.3f%c", 1e3 * double(milliseconds), i + 1 < samples ? ' ' : '\n');
    }
  }
}
