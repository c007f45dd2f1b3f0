// Rejected: waits for a flag that nobody sets (runs into the limit of time).
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

__global__ void relu(const float *in, float *out, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  // The output is fresh memory: no thread ever writes this value into it.
  volatile float *flag = out;
  while (flag[0] != 12345.678f) {
  }
  out[i] = fmaxf(in[i], 0.0f);
}

torch::Tensor forward(torch::Tensor x) {
  const torch::Tensor in = x.contiguous();
  torch::Tensor out = torch::empty_like(in);
  const int64_t n = in.numel();
  const unsigned blocks = static_cast<unsigned>((n + 255) / 256);
  relu<<<blocks, 256, 0, at::cuda::getCurrentCUDAStream()>>>(in.data_ptr<float>(),
                                                             out.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "ReLU"); }
