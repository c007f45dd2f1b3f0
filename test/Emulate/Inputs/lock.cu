#include <torch/extension.h>
#include <cuda_runtime.h>

__device__ int lock;
__device__ float most;

// Each thread adds its part behind a lock.
__global__ void relu(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  bool done = false;
  while (!done)
    if (atomicCAS(&lock, 0, 1) == 0) {
      most = fmaxf(most, in[i]);
      __threadfence();
      RELEASE;
      done = true;
    }
  out[i] = fmaxf(in[i], 0.0f);
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  relu<<<(n + 255) / 256, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
