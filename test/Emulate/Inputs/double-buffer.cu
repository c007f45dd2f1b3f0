#include <torch/extension.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

// A block's part goes through two buffers, and each thread reads what another has copied.
__global__ void relu(const float *in, float *out, int n) {
  __shared__ float buffer[2][256];
  const int first = blockIdx.x * 1024, t = threadIdx.x, other = 255 - t;
  auto copy = [&](int step) {
    const int i = first + step * 256 + t;
    __pipeline_memcpy_async(&buffer[step % 2][t], &in[i < n ? i : 0], sizeof(float));
    __pipeline_commit();
  };
  copy(0);
  for (int step = 0; step < 4; ++step) {
    if (step < 3)
      copy(step + 1);
    __pipeline_wait_prior(step < 3 ? 1 : 0);
    __syncthreads();
    const int i = first + step * 256 + other;
    if (i < n)
      out[i] = fmaxf(buffer[step % 2][other], 0.0f);
    CLOSE;
  }
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  relu<<<(n + 1023) / 1024, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
