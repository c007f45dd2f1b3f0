// Maximum pooling for level1/max-pool-2d: window 4, stride 1, padding 1, dilation 1.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

constexpr int Window = 4, Stride = 1, Padding = 1;

__global__ void maxPool(const float *__restrict__ in, float *__restrict__ out, int height,
                        int width, int outHeight, int outWidth, int64_t total) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= total)
    return;
  const int x0 = static_cast<int>(i % outWidth) * Stride - Padding;
  const int y0 = static_cast<int>(i / outWidth % outHeight) * Stride - Padding;
  const float *plane = in + i / outWidth / outHeight * height * width;
  float best = -INFINITY;
  for (int y = max(y0, 0); y < min(y0 + Window, height); ++y)
    for (int x = max(x0, 0); x < min(x0 + Window, width); ++x) {
      const float value = plane[int64_t(y) * width + x];
      best = value > best || isnan(value) ? value : best; // NaN wins, as in torch.
    }
  out[i] = best;
}

torch::Tensor forward(torch::Tensor x) {
  TORCH_CHECK(x.dim() == 4 && x.scalar_type() == torch::kFloat32, "x must be float32 of 4 dims");
  const c10::cuda::CUDAGuard guard(x.device());
  const torch::Tensor in = x.contiguous();
  const int64_t height = in.size(2), width = in.size(3);
  const int64_t outHeight = (height + 2 * Padding - Window) / Stride + 1;
  const int64_t outWidth = (width + 2 * Padding - Window) / Stride + 1;
  TORCH_CHECK(outHeight > 0 && outWidth > 0, "x is smaller than the window");
  torch::Tensor out = torch::empty({in.size(0), in.size(1), outHeight, outWidth}, in.options());
  const int64_t total = out.numel();
  constexpr int threads = 256;
  if (total > 0)
    maxPool<<<static_cast<unsigned>((total + threads - 1) / threads), threads, 0,
              at::cuda::getCurrentCUDAStream()>>>(
        in.data_ptr<float>(), out.data_ptr<float>(), static_cast<int>(height),
        static_cast<int>(width), static_cast<int>(outHeight), static_cast<int>(outWidth), total);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "max pool 4x4"); }
