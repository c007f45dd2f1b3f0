// Layer norm for level1/layer-norm. There are few and very long rows, so each row is cut into
// chunks: the first kernel gives mean and sum of squared deviations of each chunk, the second
// merges them (Chan, Golub, LeVeque 1979) and normalizes.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

constexpr int Threads = 256;
constexpr int64_t ChunkSize = 1 << 15;
constexpr float Epsilon = 1e-5f;

struct Moments {
  float count, mean, m2;
};

__device__ __forceinline__ Moments merge(Moments a, Moments b) {
  const float count = a.count + b.count;
  if (count == 0.0f)
    return a;
  const float delta = b.mean - a.mean, weight = b.count / count;
  return {count, a.mean + delta * weight, a.m2 + b.m2 + delta * delta * a.count * weight};
}

// The merged moments of all threads of the block, in every thread.
__device__ Moments mergeBlock(Moments m) {
  __shared__ Moments shared[Threads];
  shared[threadIdx.x] = m;
  for (int width = Threads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width)
      shared[threadIdx.x] = merge(shared[threadIdx.x], shared[threadIdx.x + width]);
  }
  __syncthreads();
  return shared[0];
}

__global__ void __launch_bounds__(Threads)
    chunkMoments(const float *__restrict__ in, Moments *__restrict__ moments, int64_t rowSize) {
  const float *row = in + blockIdx.y * rowSize;
  const int64_t begin = blockIdx.x * ChunkSize, end = min(begin + ChunkSize, rowSize);
  Moments m = {0.0f, 0.0f, 0.0f};
  for (int64_t i = begin + threadIdx.x; i < end; i += Threads) { // Welford
    m.count += 1.0f;
    const float delta = row[i] - m.mean;
    m.mean += delta / m.count;
    m.m2 += delta * (row[i] - m.mean);
  }
  m = mergeBlock(m);
  if (threadIdx.x == 0)
    moments[blockIdx.y * gridDim.x + blockIdx.x] = m;
}

__global__ void __launch_bounds__(Threads)
    normalize(const float *__restrict__ in, const Moments *__restrict__ moments,
              const float *__restrict__ weight, const float *__restrict__ bias,
              float *__restrict__ out, int64_t rowSize) {
  Moments m = {0.0f, 0.0f, 0.0f};
  for (unsigned c = threadIdx.x; c < gridDim.x; c += Threads)
    m = merge(m, moments[blockIdx.y * gridDim.x + c]);
  m = mergeBlock(m);
  const float scale = rsqrtf(m.m2 / m.count + Epsilon);

  const int64_t begin = blockIdx.x * ChunkSize, end = min(begin + ChunkSize, rowSize);
  for (int64_t i = begin + threadIdx.x; i < end; i += Threads) {
    const int64_t at = blockIdx.y * rowSize + i;
    out[at] = (in[at] - m.mean) * scale * weight[i] + bias[i];
  }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor bias) {
  TORCH_CHECK(x.scalar_type() == torch::kFloat32, "x must be float32");
  TORCH_CHECK(weight.numel() == bias.numel() && weight.numel() > 0, "weight and bias disagree");
  const c10::cuda::CUDAGuard guard(x.device());
  const torch::Tensor in = x.contiguous(), w = weight.contiguous(), b = bias.contiguous();
  torch::Tensor out = torch::empty_like(in);
  const int64_t rowSize = w.numel(), rows = in.numel() / rowSize;
  const int64_t chunks = (rowSize + ChunkSize - 1) / ChunkSize;
  if (rows == 0)
    return out;
  torch::Tensor moments = torch::empty({rows, chunks, 3}, in.options());
  auto *m = reinterpret_cast<Moments *>(moments.data_ptr<float>());

  const dim3 grid(static_cast<unsigned>(chunks), static_cast<unsigned>(rows));
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  chunkMoments<<<grid, Threads, 0, stream>>>(in.data_ptr<float>(), m, rowSize);
  normalize<<<grid, Threads, 0, stream>>>(in.data_ptr<float>(), m, w.data_ptr<float>(),
                                          b.data_ptr<float>(), out.data_ptr<float>(), rowSize);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "layer norm"); }
