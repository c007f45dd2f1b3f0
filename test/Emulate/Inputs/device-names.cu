#include <torch/extension.h>
#include <cuda_runtime.h>

// What code of the host does with the names of the device's variables: HOST and POINTER.
__constant__ float scale[4];
__constant__ const float offsets[2] = {0.0f, 0.0f};
__constant__ constexpr int Threads = 256;
__device__ int counter;
static const float *const start = scale;

__global__ void relu(const float *in, float *out, int n, const float *by) {
  int i = blockIdx.x * Threads + threadIdx.x;
  if (i == 0)
    atomicAdd(&counter, 1);
  if (i < n)
    out[i] = fmaxf(in[i], 0.0f) * scale[1] * by[1] + offsets[0];
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  const float ones[sizeof(scale) / sizeof(float)] = {1.0f, 1.0f, 1.0f, 1.0f + offsets[1]};
  cudaMemcpyToSymbol(scale, ones, sizeof(scale));
  void *scales = nullptr;
  cudaGetSymbolAddress(&scales, scale);
  int zero = 0;
  cudaMemcpyToSymbolAsync(counter, &zero, sizeof(int), 0, cudaMemcpyHostToDevice);
  relu<<<(n + Threads - 1) / Threads, Threads>>>(in.data_ptr<float>(), out.data_ptr<float>(), n,
                                                 POINTER);
  int launched = 0;
  cudaMemcpyFromSymbol(&launched, counter, sizeof(counter));
  TORCH_CHECK(launched == 1, "not launched");
  HOST;
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
