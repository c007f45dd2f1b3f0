// Softmax over the rows for level1/softmax. One block a row; maximum and sum in one pass (Milakov
// and Gimelshein, "Online normalizer calculation for softmax", 2018), the result in a second.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

constexpr int Threads = 512, Warps = Threads / 32;

struct Running {
  float max, sum; // sum of exp(x - max)
};

__device__ __forceinline__ Running merge(Running a, Running b) {
  const float max = fmaxf(a.max, b.max);
  if (max == -INFINITY)
    return {max, a.sum + b.sum}; // Nothing seen yet, or NaN: inf - inf would make one of nothing.
  return {max, a.sum * expf(a.max - max) + b.sum * expf(b.max - max)};
}

__device__ Running mergeWarp(Running r) {
  for (int offset = 16; offset > 0; offset /= 2)
    r = merge(r, {__shfl_xor_sync(0xffffffffu, r.max, offset),
                  __shfl_xor_sync(0xffffffffu, r.sum, offset)});
  return r;
}

__global__ void __launch_bounds__(Threads)
    softmaxRows(const float *__restrict__ in, float *__restrict__ out, int64_t columns) {
  const float *row = in + blockIdx.x * columns;
  Running r = {-INFINITY, 0.0f};
  for (int64_t i = threadIdx.x; i < columns; i += Threads) {
    const float x = row[i];
    if (x > r.max)
      r = {x, r.sum * expf(r.max - x) + 1.0f};
    else if (r.max != -INFINITY || isnan(x)) // A NaN makes the row NaN, wherever it stands.
      r.sum += expf(x - r.max);
  }

  __shared__ float warpMax[Warps], warpSum[Warps];
  r = mergeWarp(r);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) {
    warpMax[warp] = r.max;
    warpSum[warp] = r.sum;
  }
  __syncthreads();
  r = lane < Warps ? Running{warpMax[lane], warpSum[lane]} : Running{-INFINITY, 0.0f};
  r = mergeWarp(r);

  const float scale = 1.0f / r.sum;
  for (int64_t i = threadIdx.x; i < columns; i += Threads)
    out[blockIdx.x * columns + i] = expf(row[i] - r.max) * scale;
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == torch::kFloat32, "x must be a float32 matrix");
  const c10::cuda::CUDAGuard guard(x.device());
  const torch::Tensor in = x.contiguous();
  torch::Tensor out = torch::empty_like(in);
  if (in.numel() > 0)
    softmaxRows<<<static_cast<unsigned>(in.size(0)), Threads, 0,
                  at::cuda::getCurrentCUDAStream()>>>(in.data_ptr<float>(), out.data_ptr<float>(),
                                                      in.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "softmax over dim 1"); }
