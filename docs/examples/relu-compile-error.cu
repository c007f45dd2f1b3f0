// Rejected: does not compile; 'valeu' is not declared.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>

__global__ void relu(const float *in, float *out, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) {
    const float value = in[i];
    out[i] = fmaxf(valeu, 0.0f);
  }
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor out = torch::empty_like(x);
  const int64_t n = x.numel();
  relu<<<static_cast<unsigned>((n + 255) / 256), 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "ReLU"); }
