#include <torch/extension.h>
#include <cuda_runtime.h>

__shared__ QUALIFIER int ready;

// The first warp loads for the second one, which waits for a flag and not for a barrier.
__global__ void relu(const float *in, float *out, int n) {
  __shared__ float tile[32];
  const int lane = threadIdx.x % 32, i = blockIdx.x * 32 + lane;
  if (threadIdx.x == 0)
    ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    tile[lane] = i < n ? in[i] : 0.0f;
    __syncwarp();
    if (lane == 0) {
      FENCE;
      ready = 1;
    }
  } else {
    while (WAIT == 0)
      ;
    if (i < n)
      out[i] = fmaxf(tile[lane], 0.0f);
  }
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  relu<<<(n + 31) / 32, 64>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
