#include <torch/extension.h>
#include <cuda_runtime.h>

// Shared memory is one element too small; one case asks for a block that no GPU has.
__global__ void relu(const float *in, float *out, int n) {
  __shared__ float tile[255];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? fmaxf(in[i], 0.0f) : 0.0f;
  __syncthreads();
  if (i < n)
    out[i] = tile[threadIdx.x];
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  const int threads = x.size(0) == 1 ? 2048 : 256;
  relu<<<(n + 255) / 256, threads>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
