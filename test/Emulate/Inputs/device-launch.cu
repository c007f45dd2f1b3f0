#include <torch/extension.h>
#include <cuda_runtime.h>
__global__ void child(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fmaxf(in[i], 0.0f);
}
__global__ void parent(const float *in, float *out, int n) {
  if (threadIdx.x == 0) child<<<(n + 255) / 256, 256>>>(in, out, n);
}
torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  parent<<<1, 32>>>(in.data_ptr<float>(), out.data_ptr<float>(), (int)in.numel());
  return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
