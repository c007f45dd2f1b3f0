#include <torch/extension.h>
#include <cuda_runtime.h>

// One thread never gets to the barrier that the others wait at, and waits at another one.
__device__ volatile int first;

__global__ void relu(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    while (first == 0)
      ;
  }
  __syncthreads();
  if (i < n)
    out[i] = fmaxf(in[i], 0.0f);
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  relu<<<(n + 255) / 256, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
