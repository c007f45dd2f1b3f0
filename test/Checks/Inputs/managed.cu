#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
__managed__ int total = 0;
__global__ void k(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { y[i] = x[i] > 0 ? x[i] : 0; atomicAdd(&total, 1); }
}
torch::Tensor relu(torch::Tensor x) {
  auto y = torch::empty_like(x);
  total = 0;
  k<<<(x.numel() + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  cudaStreamSynchronize(at::cuda::getCurrentCUDAStream());
  TORCH_CHECK(total == x.numel(), "count ", total);
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("relu", &relu); }
