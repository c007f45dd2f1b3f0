// Group norm with 8 groups for level1/group-norm. A group of a sample is one long piece of memory,
// so it is cut into chunks: the first kernel sums each chunk, in fp64, so that the variance is
// E[x^2] - E[x]^2 without loss; the second adds the chunks up and normalizes.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

constexpr int Threads = 256, WarpSize = 32;
constexpr int64_t Groups = 8, ChunkSize = 1 << 15;
constexpr double Epsilon = 1e-5;

// Sum and sum of squares.
struct Sums {
  double x, xx;
};

// The sums of all threads of the block, in every thread: over each warp by shuffles, then over the
// warps through shared memory.
__device__ Sums sumBlock(Sums s) {
  __shared__ Sums ofWarp[Threads / WarpSize];
  for (int offset = WarpSize / 2; offset > 0; offset /= 2) {
    s.x += __shfl_down_sync(0xffffffffu, s.x, offset);
    s.xx += __shfl_down_sync(0xffffffffu, s.xx, offset);
  }
  if (threadIdx.x % WarpSize == 0)
    ofWarp[threadIdx.x / WarpSize] = s;
  __syncthreads();
  Sums total = {0.0, 0.0};
  for (int w = 0; w < Threads / WarpSize; ++w) {
    total.x += ofWarp[w].x;
    total.xx += ofWarp[w].xx;
  }
  return total;
}

__global__ void __launch_bounds__(Threads)
    chunkSums(const float *__restrict__ in, Sums *__restrict__ sums, int64_t groupSize) {
  const float *group = in + blockIdx.y * groupSize;
  const int64_t begin = blockIdx.x * ChunkSize, end = min(begin + ChunkSize, groupSize);
  Sums s = {0.0, 0.0};
  for (int64_t i = begin + threadIdx.x; i < end; i += Threads) {
    const double x = static_cast<double>(group[i]);
    s.x += x;
    s.xx += x * x;
  }
  s = sumBlock(s);
  if (threadIdx.x == 0)
    sums[blockIdx.y * gridDim.x + blockIdx.x] = s;
}

__global__ void __launch_bounds__(Threads)
    normalize(const float *__restrict__ in, const Sums *__restrict__ sums,
              const float *__restrict__ weight, const float *__restrict__ bias,
              float *__restrict__ out, int64_t groupSize, int64_t planeSize) {
  Sums s = {0.0, 0.0};
  for (unsigned c = threadIdx.x; c < gridDim.x; c += Threads) {
    const Sums chunk = sums[blockIdx.y * gridDim.x + c];
    s.x += chunk.x;
    s.xx += chunk.xx;
  }
  s = sumBlock(s);
  const double mean = s.x / static_cast<double>(groupSize);
  const double variance = fmax(s.xx / static_cast<double>(groupSize) - mean * mean, 0.0);
  const float shift = static_cast<float>(mean);
  const float scale = static_cast<float>(rsqrt(variance + Epsilon));

  const int64_t channel0 = blockIdx.y % Groups * (groupSize / planeSize);
  const int64_t begin = blockIdx.x * ChunkSize, end = min(begin + ChunkSize, groupSize);
  for (int64_t i = begin + threadIdx.x; i < end; i += Threads) {
    const int64_t at = blockIdx.y * groupSize + i, channel = channel0 + i / planeSize;
    out[at] = (in[at] - shift) * scale * weight[channel] + bias[channel];
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
  TORCH_CHECK(x.dim() == 4 && x.scalar_type() == torch::kFloat32, "x must be float32 of 4 dims");
  TORCH_CHECK(x.size(1) % Groups == 0, "the channels must make 8 groups");
  TORCH_CHECK(weight.numel() == x.size(1) && bias.numel() == x.size(1),
              "weight and bias must have a value for each channel");
  const c10::cuda::CUDAGuard guard(x.device());
  const torch::Tensor in = x.contiguous(), w = weight.contiguous(), b = bias.contiguous();
  torch::Tensor out = torch::empty_like(in);
  if (in.numel() == 0)
    return out;
  const int64_t planeSize = in.size(2) * in.size(3), groups = in.size(0) * Groups;
  const int64_t groupSize = in.numel() / groups;
  const int64_t chunks = (groupSize + ChunkSize - 1) / ChunkSize;
  torch::Tensor sums = torch::empty({groups, chunks, 2}, in.options().dtype(torch::kFloat64));
  auto *s = reinterpret_cast<Sums *>(sums.data_ptr<double>());

  const dim3 grid(static_cast<unsigned>(chunks), static_cast<unsigned>(groups));
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  chunkSums<<<grid, Threads, 0, stream>>>(in.data_ptr<float>(), s, groupSize);
  normalize<<<grid, Threads, 0, stream>>>(in.data_ptr<float>(), s, w.data_ptr<float>(),
                                          b.data_ptr<float>(), out.data_ptr<float>(), groupSize,
                                          planeSize);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "group norm"); }
