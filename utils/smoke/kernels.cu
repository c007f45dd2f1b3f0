// Kernels for utils/gpu-smoke.sh: one bound by memory, one by arithmetic, and some that go wrong.
#include <cstdint>
#include <cuda_runtime.h>

__global__ void smokeRelu(const float4 *in, float4 *out, int64_t n) {
  int64_t stride = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    float4 v = in[i];
    out[i] = make_float4(fmaxf(v.x, 0), fmaxf(v.y, 0), fmaxf(v.z, 0), fmaxf(v.w, 0));
  }
}

constexpr int Tile = 32;

// C = A B for square matrices whose size is a multiple of the tile.
__global__ void smokeMatmul(const float *a, const float *b, float *c, int n) {
  __shared__ float as[Tile][Tile], bs[Tile][Tile];
  int row = blockIdx.y * Tile + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    as[threadIdx.y][threadIdx.x] = a[int64_t(row) * n + k + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[int64_t(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int i = 0; i < Tile; ++i)
      sum = fmaf(as[threadIdx.y][i], bs[i][threadIdx.x], sum);
    __syncthreads();
  }
  c[int64_t(row) * n + column] = sum;
}

__global__ void smokeIllegal(float *p) { p[threadIdx.x] = 1; }

__global__ void smokeSpin(long long cycles) {
  long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

extern "C" void launchRelu(const float *in, float *out, int64_t n, cudaStream_t stream) {
  int64_t vectors = n / 4;
  int64_t blocks = (vectors + 255) / 256;
  smokeRelu<<<unsigned(blocks < 65536 ? blocks : 65536), 256, 0, stream>>>(
      reinterpret_cast<const float4 *>(in), reinterpret_cast<float4 *>(out), vectors);
}

extern "C" void launchMatmul(const float *a, const float *b, float *c, int n, cudaStream_t stream) {
  smokeMatmul<<<dim3(n / Tile, n / Tile), dim3(Tile, Tile), 0, stream>>>(a, b, c, n);
}

extern "C" void launchIllegal(cudaStream_t stream) {
  smokeIllegal<<<1, 32, 0, stream>>>(reinterpret_cast<float *>(8));
}

extern "C" void launchSpin(long long cycles, cudaStream_t stream) {
  smokeSpin<<<1, 1, 0, stream>>>(cycles);
}

extern "C" void launchTooManyThreads(cudaStream_t stream) { smokeSpin<<<1, 4096, 0, stream>>>(1); }
