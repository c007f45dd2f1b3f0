// What the submissions of this folder share: the kernel that does the work, and its launch.
#include <c10/cuda/CUDAStream.h>
#include <torch/extension.h>

namespace {

__global__ void scaleKernel(const float *x, const float *w, float *y, int64_t n) {
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n)
    y[i] = x[i] * w[i] + 1.0f;
}

torch::Tensor scale(const torch::Tensor &x, const torch::Tensor &w) {
  auto y = torch::empty_like(x);
  int64_t n = x.numel();
  scaleKernel<<<unsigned((n + 255) / 256), 256, 0, c10::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), w.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}

} // namespace
