#include <cuda_runtime.h>
#include <torch/extension.h>

// A loss whose last step the host makes: torch::tensor has the type that its options say.
__global__ void squares(const float *a, const float *b, float *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = i < n ? (a[i] - b[i]) * (a[i] - b[i]) : 0.f;
  for (int offset = 16; offset > 0; offset /= 2)
    s += __shfl_down_sync(0xffffffff, s, offset);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, s);
}

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
  torch::Tensor a = predictions.contiguous(), b = targets.contiguous();
  const int n = static_cast<int>(a.numel());
  torch::Tensor sum = torch::zeros({1}, a.options());
  squares<<<(n + 255) / 256, 256>>>(a.data_ptr<float>(), b.data_ptr<float>(), sum.data_ptr<float>(),
                                    n);
  TORCH_CHECK(torch::tensor(1.5).scalar_type() == torch::kFloat32 &&
              torch::tensor({{1, 2, 3}, {4, 5, 6}}).size(1) == 3 &&
              torch::tensor({1, 2}).scalar_type() == torch::kInt64);
  return torch::tensor(sum.item<float>() / n, a.options());
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
