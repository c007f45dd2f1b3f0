#include <torch/extension.h>
#include <cuda_runtime.h>

__global__ void relu(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v, w;
  asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(in + i));
  asm("{ .reg .pred p;\n\t"
      "  setp.gt.f32 p, %1, %2;\n\t"
      "  selp.f32 %0, %1, %2, p; }"
      : "=f"(w)
      : "f"(v), "f"(0.0f));
  out[i] = w;
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  relu<<<(n + 255) / 256, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
