#include <torch/extension.h>
#include <cuda_runtime.h>

struct Activation {
  __device__ virtual float operator()(float x) const = 0;
  __device__ virtual ~Activation() {}
};
struct Relu : Activation {
  float *floors; // From the heap of kernels.
  __device__ Relu() : floors(static_cast<float *>(malloc(4 * sizeof(float)))) {
    for (int i = 0; i < 4; ++i)
      floors[i] = 0.0f;
  }
  __device__ ~Relu() override { free(floors); }
  __device__ float operator()(float x) const override { return fmaxf(x, floors[LAST]); }
};
__constant__ float shift[4] = {0, 0, 0, 0};

__global__ void relu(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Activation *activation = new Relu();
  if (i < n)
    out[i] = (*activation)(in[i]) + shift[SHIFT];
  delete activation;
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  relu<<<(n + 255) / 256, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
