// relu(conv2d(x, w) + conv_bias) + bias for level2/conv2d-relu-bias-add, as one matrix product
// ("implicit GEMM"): rows are output channels, columns the pixels of all samples, and k runs over
// the input channels and the 3x3 kernel. The second factor is gathered from x while it is loaded,
// so that it never exists in memory.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

constexpr int Kernel = 3, Taps = Kernel * Kernel;
// A block of 16x16 threads makes a tile of 64 channels x 128 pixels, each thread 4x8 of it.
constexpr int TileM = 64, TileN = 128, Depth = 8, Side = 16, Threads = Side * Side;
constexpr int RowsEach = TileM / Side, ColumnsEach = TileN / Side;

struct Sizes {
  int inChannels, outChannels, height, width, outHeight, outWidth;
};

__global__ void __launch_bounds__(Threads)
    convReluAdd(const float *__restrict__ x, const float *__restrict__ weight,
                const float *__restrict__ convBias, const float *__restrict__ bias,
                float *__restrict__ out, Sizes s, int64_t pixels) {
  __shared__ float tileW[Depth][TileM + 1]; // + 1: columns are written, banks must differ.
  __shared__ float tileX[Depth][TileN];
  const int thread = threadIdx.y * Side + threadIdx.x;
  const int row0 = static_cast<int>(blockIdx.y) * TileM, k = s.inChannels * Taps;
  const int64_t column0 = int64_t(blockIdx.x) * TileN, plane = int64_t(s.outHeight) * s.outWidth;
  float sum[RowsEach][ColumnsEach] = {};

  // A thread always gathers for the same pixel, since Threads is a multiple of TileN.
  const int64_t pixel = column0 + thread % TileN;
  const int64_t sample = pixel / plane;
  const int y = static_cast<int>(pixel % plane / s.outWidth);
  const int left = static_cast<int>(pixel % s.outWidth);
  const float *corner =
      x + sample * s.inChannels * s.height * s.width + int64_t(y) * s.width + left;

  for (int k0 = 0; k0 < k; k0 += Depth) {
    for (int i = thread; i < TileM * Depth; i += Threads) {
      const int row = row0 + i / Depth, at = k0 + i % Depth;
      tileW[i % Depth][i / Depth] =
          row < s.outChannels && at < k ? weight[int64_t(row) * k + at] : 0.0f;
    }
    for (int d = thread / TileN; d < Depth; d += Threads / TileN) {
      const int channel = (k0 + d) / Taps, tap = (k0 + d) % Taps;
      const int64_t offset =
          (int64_t(channel) * s.height + tap / Kernel) * s.width + tap % Kernel;
      tileX[d][thread % TileN] = pixel < pixels && k0 + d < k ? corner[offset] : 0.0f;
    }
    __syncthreads();
    for (int d = 0; d < Depth; ++d) {
      float fromW[RowsEach], fromX[ColumnsEach];
      for (int i = 0; i < RowsEach; ++i)
        fromW[i] = tileW[d][threadIdx.y + i * Side];
      for (int j = 0; j < ColumnsEach; ++j)
        fromX[j] = tileX[d][threadIdx.x + j * Side];
      for (int i = 0; i < RowsEach; ++i)
        for (int j = 0; j < ColumnsEach; ++j)
          sum[i][j] += fromW[i] * fromX[j];
    }
    __syncthreads();
  }

  for (int j = 0; j < ColumnsEach; ++j) {
    const int64_t column = column0 + threadIdx.x + j * Side;
    if (column >= pixels)
      continue;
    const int64_t first = column / plane * s.outChannels * plane + column % plane;
    for (int i = 0; i < RowsEach; ++i) {
      const int channel = row0 + threadIdx.y + i * Side;
      if (channel < s.outChannels)
        out[first + channel * plane] = fmaxf(sum[i][j] + convBias[channel], 0.0f) + bias[channel];
    }
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor bias, torch::Tensor conv_weight,
                      torch::Tensor conv_bias) {
  TORCH_CHECK(x.dim() == 4 && conv_weight.dim() == 4 && x.size(1) == conv_weight.size(1) &&
                  conv_bias.numel() == conv_weight.size(0) && bias.numel() == conv_weight.size(0),
              "sizes disagree");
  TORCH_CHECK(conv_weight.size(2) == Kernel && conv_weight.size(3) == Kernel,
              "the kernel must be 3x3");
  TORCH_CHECK(x.size(2) >= Kernel && x.size(3) >= Kernel, "x is smaller than the kernel");
  const c10::cuda::CUDAGuard guard(x.device());
  const torch::Tensor in = x.contiguous(), w = conv_weight.contiguous();
  const torch::Tensor inner = conv_bias.contiguous(), outer = bias.contiguous();
  const int height = static_cast<int>(in.size(2)), width = static_cast<int>(in.size(3));
  const Sizes s = {static_cast<int>(in.size(1)), static_cast<int>(w.size(0)),
                   height,                       width,
                   height - Kernel + 1,          width - Kernel + 1};
  torch::Tensor out = torch::empty({in.size(0), w.size(0), s.outHeight, s.outWidth}, in.options());
  const int64_t pixels = in.size(0) * s.outHeight * s.outWidth;
  if (out.numel() == 0)
    return out;
  const dim3 grid(static_cast<unsigned>((pixels + TileN - 1) / TileN),
                  static_cast<unsigned>((s.outChannels + TileM - 1) / TileM));
  convReluAdd<<<grid, dim3(Side, Side), 0, at::cuda::getCurrentCUDAStream()>>>(
      in.data_ptr<float>(), w.data_ptr<float>(), inner.data_ptr<float>(), outer.data_ptr<float>(),
      out.data_ptr<float>(), s, pixels);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "conv, relu, add"); }
