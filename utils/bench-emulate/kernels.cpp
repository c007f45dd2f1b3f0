// Kernels that the emulation's speed is measured with, as the rewriter leaves them, and their
// launches.

#include <cuda_runtime.h>

namespace emu = cupel::emu;

__global__ void matmul(const float *a, const float *b, float *c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

__global__ void tiledMatmul(const float *a, const float *b, float *c, int n) {
  float (&sa)[16][16] = emu::sharedVariable<float[16][16], struct TagA>("sa");
  float (&sb)[16][16] = emu::sharedVariable<float[16][16], struct TagB>("sb");
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0.0f;
  for (int k = 0; k < n; k += 16) {
    sa[ty][tx] = a[y * n + k + tx];
    sb[ty][tx] = b[(k + ty) * n + x];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += sa[ty][i] * sb[i][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

__global__ void reduction(const float *in, float *out, int n) {
  float (&s)[256] = emu::sharedVariable<float[256], struct TagS>("s");
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int w = 128; w > 0; w /= 2) {
    if (t < w)
      s[t] += s[t + w];
    __syncthreads();
  }
  if (t == 0)
    atomicAdd(out, s[0]);
}

__global__ void warpReduction(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  for (int w = 16; w > 0; w /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, w);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, v);
}

__global__ void relu(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = fmaxf(in[i], 0.0f);
}

#define LAUNCH(KERNEL, WAITS, ...)                                                                 \
  emu::launcher(emu::Site{#KERNEL, __LINE__, emu::Waits::WAITS}, KERNEL)(__VA_ARGS__)

void runMatmul(const float *a, const float *b, float *c, int n) {
  LAUNCH(matmul, Never, dim3(n / 16, n / 16), dim3(16, 16))(a, b, c, n);
}
void runTiledMatmul(const float *a, const float *b, float *c, int n) {
  LAUNCH(tiledMatmul, Barriers, dim3(n / 16, n / 16), dim3(16, 16))(a, b, c, n);
}
void runReduction(const float *in, float *out, int n) {
  LAUNCH(reduction, Barriers, (n + 255) / 256, 256)(in, out, n);
}
void runWarpReduction(const float *in, float *out, int n) {
  LAUNCH(warpReduction, Barriers, (n + 255) / 256, 256)(in, out, n);
}
void runRelu(const float *in, float *out, int n) {
  LAUNCH(relu, Never, (n + 255) / 256, 256)(in, out, n);
}
