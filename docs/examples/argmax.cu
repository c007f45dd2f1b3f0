// Index of the maximum over dim 1 for level1/argmax. A thread an output; the threads of a warp read
// neighbouring columns. Of equal values the first counts, and NaN is larger than all, as in torch.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

__global__ void argmaxDim1(const float *__restrict__ in, int64_t *__restrict__ out, int64_t length,
                           int64_t columns, int64_t total) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  const float *x = in + i / columns * length * columns + i % columns;
  float best = x[0];
  int64_t where = 0;
#pragma unroll 4
  for (int64_t r = 1; r < length; ++r) {
    const float value = x[r * columns];
    if (value > best || (isnan(value) && !isnan(best))) {
      best = value;
      where = r;
    }
  }
  out[i] = where;
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.dim() == 3 && x.scalar_type() == torch::kFloat32, "x must be float32 of 3 dims");
  TORCH_CHECK(x.size(1) > 0, "there is no maximum of nothing");
  const c10::cuda::CUDAGuard guard(x.device());
  const torch::Tensor in = x.contiguous();
  const int64_t batch = in.size(0), length = in.size(1), columns = in.size(2);
  torch::Tensor out = torch::empty({batch, columns}, in.options().dtype(torch::kInt64));
  const int64_t total = batch * columns;
  constexpr int threads = 128;
  if (total > 0)
    argmaxDim1<<<static_cast<unsigned>((total + threads - 1) / threads), threads, 0,
                 at::cuda::getCurrentCUDAStream()>>>(in.data_ptr<float>(), out.data_ptr<int64_t>(),
                                                     length, columns, total);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "argmax over dim 1"); }
