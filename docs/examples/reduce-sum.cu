// Sum over dim 1, kept as a dimension of 1, for level1/reduce-sum. A thread an output; the threads
// of a warp read neighbouring columns.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

__global__ void sumDim1(const float *__restrict__ in, float *__restrict__ out, int64_t length,
                        int64_t columns, int64_t total) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  const float *x = in + i / columns * length * columns + i % columns;
  // Four sums: the loads do not wait for each other, and rounding errors grow more slowly.
  float sum[4] = {};
  int64_t r = 0;
  for (; r + 4 <= length; r += 4)
    for (int u = 0; u < 4; ++u)
      sum[u] += x[(r + u) * columns];
  for (; r < length; ++r)
    sum[0] += x[r * columns];
  out[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.dim() == 3 && x.scalar_type() == torch::kFloat32, "x must be float32 of 3 dims");
  const c10::cuda::CUDAGuard guard(x.device());
  const torch::Tensor in = x.contiguous();
  const int64_t batch = in.size(0), length = in.size(1), columns = in.size(2);
  torch::Tensor out = torch::empty({batch, 1, columns}, in.options());
  const int64_t total = batch * columns;
  constexpr int threads = 128;
  if (total > 0)
    sumDim1<<<static_cast<unsigned>((total + threads - 1) / threads), threads, 0,
              at::cuda::getCurrentCUDAStream()>>>(in.data_ptr<float>(), out.data_ptr<float>(),
                                                  length, columns, total);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "sum over dim 1"); }
