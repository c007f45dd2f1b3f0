// Mean and variance in one pass, of distances from the row's first element: right however far the
// values are from 0. Of the values themselves, E[x^2] - E[x]^2 is right near 0 alone.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

__global__ void layerNorm(const float *in, const float *weight, const float *bias, float *out,
                          int rows, int columns) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  const float *row = in + int64_t(r) * columns;
  const float shift = row[0];
  float sum = 0.0f, squares = 0.0f;
  for (int i = 0; i < columns; ++i) {
    const float distance = row[i] - shift;
    sum += distance;
    squares += distance * distance;
  }
  const float mean = sum / columns;
  const float scale = rsqrtf(squares / columns - mean * mean + 1e-5f);
  for (int i = 0; i < columns; ++i)
    out[int64_t(r) * columns + i] = (row[i] - shift - mean) * scale * weight[i] + bias[i];
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
  const torch::Tensor in = x.contiguous();
  torch::Tensor out = torch::empty_like(in);
  const int rows = static_cast<int>(in.size(0)), columns = static_cast<int>(in.numel() / rows);
  layerNorm<<<(rows + 31) / 32, 32, 0, at::cuda::getCurrentCUDAStream()>>>(
      in.data_ptr<float>(), weight.data_ptr<float>(), bias.data_ptr<float>(), out.data_ptr<float>(),
      rows, columns);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
