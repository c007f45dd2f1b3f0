// Cumulative sum over the rows for level1/cumsum. A block walks along one row in pieces of 1024:
// scan of each warp with shuffles, scan of the warps' sums, and a carry from piece to piece.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

constexpr int Threads = 1024, Warps = Threads / 32;

// Sum over this lane and those below it.
__device__ float scanWarp(float value) {
  const int lane = threadIdx.x % 32;
  for (int offset = 1; offset < 32; offset *= 2) {
    const float below = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset)
      value += below;
  }
  return value;
}

__global__ void __launch_bounds__(Threads)
    cumsumRows(const float *__restrict__ in, float *__restrict__ out, int64_t columns) {
  __shared__ float warpSums[Warps];
  const int64_t base = blockIdx.x * columns;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float carry = 0.0f;
  for (int64_t begin = 0; begin < columns; begin += Threads) {
    const int64_t i = begin + threadIdx.x;
    const float own = scanWarp(i < columns ? in[base + i] : 0.0f);
    if (lane == 31)
      warpSums[warp] = own;
    __syncthreads();
    if (warp == 0)
      warpSums[lane] = scanWarp(warpSums[lane]);
    __syncthreads();
    if (i < columns)
      out[base + i] = carry + (warp > 0 ? warpSums[warp - 1] : 0.0f) + own;
    carry += warpSums[Warps - 1];
    __syncthreads(); // Before the next piece overwrites the sums.
  }
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.dim() == 2 && x.scalar_type() == torch::kFloat32, "x must be a float32 matrix");
  const c10::cuda::CUDAGuard guard(x.device());
  const torch::Tensor in = x.contiguous();
  torch::Tensor out = torch::empty_like(in);
  if (in.numel() > 0)
    cumsumRows<<<static_cast<unsigned>(in.size(0)), Threads, 0,
                 at::cuda::getCurrentCUDAStream()>>>(in.data_ptr<float>(), out.data_ptr<float>(),
                                                     in.size(1));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "cumulative sum, dim 1"); }
