// Mean cross entropy of logits for level1/cross-entropy-loss. A block a row: the loss of a row is
// log(sum(exp(x - max))) + max - x[target]. A second kernel averages the rows.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

constexpr int Threads = 256;

// Combines the values of all threads of the block; the result is in every thread.
template <typename T, typename Combine> __device__ T reduceBlock(T value, Combine combine) {
  __shared__ T shared[Threads];
  shared[threadIdx.x] = value;
  for (int width = Threads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width)
      shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + width]);
  }
  __syncthreads();
  const T result = shared[0];
  __syncthreads(); // Nobody writes the next values before all have read this one.
  return result;
}

struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
template <typename T> struct Sum {
  __device__ T operator()(T a, T b) const { return a + b; }
};

__global__ void __launch_bounds__(Threads)
    rowLosses(const float *__restrict__ logits, const int64_t *__restrict__ targets,
              float *__restrict__ losses, int64_t classes) {
  const float *row = logits + int64_t(blockIdx.x) * classes;
  float most = -INFINITY;
  for (int64_t c = threadIdx.x; c < classes; c += Threads)
    most = fmaxf(most, row[c]);
  most = reduceBlock(most, Larger());

  float sum = 0.0f;
  for (int64_t c = threadIdx.x; c < classes; c += Threads)
    sum += expf(row[c] - most);
  sum = reduceBlock(sum, Sum<float>());
  if (threadIdx.x == 0) {
    const int64_t target = targets[blockIdx.x];
    const bool known = target >= 0 && target < classes; // Nothing else is a row's element.
    losses[blockIdx.x] = known ? logf(sum) + most - row[target] : NAN;
  }
}

__global__ void __launch_bounds__(Threads)
    meanOfRows(const float *__restrict__ losses, float *__restrict__ out, int64_t rows) {
  double sum = 0.0;
  for (int64_t r = threadIdx.x; r < rows; r += Threads)
    sum += static_cast<double>(losses[r]);
  sum = reduceBlock(sum, Sum<double>());
  if (threadIdx.x == 0)
    *out = static_cast<float>(sum / static_cast<double>(rows));
}

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
  TORCH_CHECK(predictions.dim() == 2 && predictions.scalar_type() == torch::kFloat32,
              "predictions must be a float32 matrix");
  TORCH_CHECK(targets.dim() == 1 && targets.size(0) == predictions.size(0) &&
                  targets.scalar_type() == torch::kInt64,
              "targets must hold an int64 for each row");
  TORCH_CHECK(predictions.numel() > 0, "there is no mean of nothing");
  const c10::cuda::CUDAGuard guard(predictions.device());
  const torch::Tensor logits = predictions.contiguous(), classOf = targets.contiguous();
  const int64_t rows = logits.size(0), classes = logits.size(1);
  torch::Tensor losses = torch::empty({rows}, logits.options());
  torch::Tensor out = torch::empty({}, logits.options());
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  rowLosses<<<static_cast<unsigned>(rows), Threads, 0, stream>>>(
      logits.data_ptr<float>(), classOf.data_ptr<int64_t>(), losses.data_ptr<float>(), classes);
  meanOfRows<<<1, Threads, 0, stream>>>(losses.data_ptr<float>(), out.data_ptr<float>(), rows);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "cross entropy"); }
