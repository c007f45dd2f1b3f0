// 3x3 convolution without padding or bias for level1/conv2d-square-square. A block makes a tile of
// 32x32 pixels of 16 output channels, each thread 4 pixels of all 16, so that a weight that was
// read serves 4 products. One input channel at a time goes through shared memory.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

constexpr int Kernel = 3, Taps = Kernel * Kernel;
constexpr int Columns = 32, Lines = 8, PerThread = 4, TileHeight = Lines * PerThread;
constexpr int Channels = 16; // Output channels of a block.
constexpr int Threads = Columns * Lines;
constexpr int InWidth = Columns + Kernel - 1, InHeight = TileHeight + Kernel - 1;

__global__ void __launch_bounds__(Threads)
    convolve(const float *__restrict__ in, const float *__restrict__ weight,
             float *__restrict__ out, int inChannels, int outChannels, int height, int width) {
  __shared__ float tile[InHeight][InWidth];
  __shared__ float taps[Taps][Channels];
  const int outHeight = height - Kernel + 1, outWidth = width - Kernel + 1;
  const int tilesX = (outWidth + Columns - 1) / Columns;
  const int x0 = static_cast<int>(blockIdx.x) % tilesX * Columns;
  const int y0 = static_cast<int>(blockIdx.x) / tilesX * TileHeight;
  const int channel0 = static_cast<int>(blockIdx.y) * Channels;
  const int64_t sample = blockIdx.z;
  const int thread = threadIdx.y * Columns + threadIdx.x;
  float sum[Channels][PerThread] = {};

  for (int c = 0; c < inChannels; ++c) {
    const float *plane = in + (sample * inChannels + c) * height * width;
    for (int i = thread; i < InHeight * InWidth; i += Threads) {
      const int y = y0 + i / InWidth, x = x0 + i % InWidth;
      tile[i / InWidth][i % InWidth] =
          y < height && x < width ? plane[int64_t(y) * width + x] : 0.0f;
    }
    for (int i = thread; i < Taps * Channels; i += Threads) {
      const int o = channel0 + i % Channels, tap = i / Channels;
      taps[tap][i % Channels] =
          o < outChannels ? weight[(int64_t(o) * inChannels + c) * Taps + tap] : 0.0f;
    }
    __syncthreads();
    for (int tap = 0; tap < Taps; ++tap) {
      float x[PerThread];
      for (int p = 0; p < PerThread; ++p)
        x[p] = tile[threadIdx.y + p * Lines + tap / Kernel][threadIdx.x + tap % Kernel];
#pragma unroll
      for (int o = 0; o < Channels; ++o)
        for (int p = 0; p < PerThread; ++p)
          sum[o][p] += taps[tap][o] * x[p];
    }
    __syncthreads();
  }

  const int x = x0 + threadIdx.x;
#pragma unroll
  for (int o = 0; o < Channels; ++o)
    for (int p = 0; p < PerThread; ++p) {
      const int y = y0 + threadIdx.y + p * Lines, channel = channel0 + o;
      if (x < outWidth && y < outHeight && channel < outChannels)
        out[((sample * outChannels + channel) * outHeight + y) * outWidth + x] = sum[o][p];
    }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight) {
  TORCH_CHECK(x.dim() == 4 && weight.dim() == 4 && x.size(1) == weight.size(1), "sizes disagree");
  TORCH_CHECK(x.scalar_type() == torch::kFloat32 && weight.scalar_type() == torch::kFloat32,
              "x and weight must be float32");
  TORCH_CHECK(weight.size(2) == Kernel && weight.size(3) == Kernel, "the kernel must be 3x3");
  TORCH_CHECK(x.size(2) >= Kernel && x.size(3) >= Kernel, "x is smaller than the kernel");
  const c10::cuda::CUDAGuard guard(x.device());
  const torch::Tensor in = x.contiguous(), w = weight.contiguous();
  const int64_t batch = in.size(0), outChannels = w.size(0);
  const int64_t outHeight = in.size(2) - Kernel + 1, outWidth = in.size(3) - Kernel + 1;
  torch::Tensor out = torch::empty({batch, outChannels, outHeight, outWidth}, in.options());
  if (out.numel() == 0)
    return out;
  const int64_t tiles =
      (outWidth + Columns - 1) / Columns * ((outHeight + TileHeight - 1) / TileHeight);
  const dim3 grid(static_cast<unsigned>(tiles),
                  static_cast<unsigned>((outChannels + Channels - 1) / Channels),
                  static_cast<unsigned>(batch));
  convolve<<<grid, dim3(Columns, Lines), 0, at::cuda::getCurrentCUDAStream()>>>(
      in.data_ptr<float>(), w.data_ptr<float>(), out.data_ptr<float>(),
      static_cast<int>(in.size(1)), static_cast<int>(outChannels), static_cast<int>(in.size(2)),
      static_cast<int>(in.size(3)));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "convolution 3x3"); }
