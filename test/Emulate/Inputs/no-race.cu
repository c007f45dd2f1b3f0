#include <torch/extension.h>
#include <cuda_runtime.h>

// As race.cu, with the barrier, which stays one although the conditions around it are the same. The
// tile's last element is read and written by nobody, which shows in no output.
__global__ void relu(const float *in, float *out, int n) {
  __shared__ float tile[257];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // FLT_MAX: of a header that torch brings along.
  tile[threadIdx.x] = i < n ? fminf(fmaxf(in[i], 0.0f), FLT_MAX) : 0.0f;
  __syncthreads();
  if (i < n)
    out[i] = fmaxf(tile[threadIdx.x], fminf(tile[threadIdx.x + 1], 0.0f));
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  relu<<<(n + 255) / 256, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
