// What the two halves of a split build must agree on: names of internal linkage, device variables,
// instances of templates, addresses of kernels.
#include <torch/extension.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#include <cooperative_groups.h>

#define THREADS 128
static __constant__ float scale[2];
__constant__ float shift[2];
static __device__ int counter;
constexpr int kUnroll = 4;

namespace {
__device__ float hidden[4];
struct Relu {
  __device__ float operator()(float x) const { return x < 0.0f ? 0.0f : x; }
};
__global__ void clear(float *out, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = hidden[0] * scale[1] + shift[1];
  if (i == 0)
    atomicAdd(&counter, 1);
}
} // namespace

namespace own {
template <typename T, int N, typename F>
__global__ void __launch_bounds__(THREADS) apply(const T *in, T *out, int64_t n, F f) {
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += int64_t(gridDim.x) * blockDim.x)
    out[i] = static_cast<T>(f(static_cast<float>(in[i])));
}
template <typename T> static __global__ void copyRows(const T *in, T *out, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}
} // namespace own

// torch:: for what is at's, and groups of a cluster.
__global__ void __cluster_dims__(2, 1, 1) swapHalves(torch::PackedTensorAccessor32<float, 1> rows) {
  __shared__ float mine;
  auto cluster = cooperative_groups::this_cluster();
  mine = rows[cluster.block_rank()];
  cluster.sync();
  rows[cluster.block_rank()] = *cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
  cluster.sync();
}

extern "C" __global__ void touch(float *out) { out[0] += 0.0f; }

static unsigned blocksFor(int64_t n) {
  return static_cast<unsigned>(std::max<int64_t>(1, (n + THREADS - 1) / THREADS));
}

torch::Tensor forward(torch::Tensor x, double floor) {
  TORCH_CHECK(floor == 0, "only zero is the floor here");
  TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be float32 on the GPU");
  const torch::Tensor in = x.contiguous();
  torch::Tensor out = torch::empty_like(in);
  const int64_t n = in.numel();
  const cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  const float one[2] = {1.0f, 0.0f}, none[2] = {0.0f, 0.0f};
  C10_CUDA_CHECK(cudaMemcpyToSymbolAsync(scale, one, sizeof(one), 0, cudaMemcpyHostToDevice, stream));
  C10_CUDA_CHECK(cudaMemcpyToSymbolAsync(shift, none, sizeof(none), 0, cudaMemcpyHostToDevice, stream));
  clear<<<blocksFor(n), THREADS, 0, stream>>>(out.data_ptr<float>(), n);
  void (*apply)(const float *, float *, int64_t, Relu) = own::apply<float, kUnroll, Relu>;
  C10_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void *>(apply),
                                      cudaFuncAttributePreferredSharedMemoryCarveout, 0));
  apply<<<blocksFor(n), THREADS, 0, stream>>>(in.data_ptr<float>(), out.data_ptr<float>(), n, Relu());
  if (n < 0)
    AT_DISPATCH_FLOATING_TYPES_AND_HALF(in.scalar_type(), "copy", [&] {
      own::copyRows<scalar_t><<<blocksFor(n), THREADS, 0, stream>>>(
          in.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), n);
    });
  if (n < 0)
    swapHalves<<<2, 1, 0, stream>>>(out.packed_accessor32<float, 1>());
  touch<<<1, 1, 0, stream>>>(out.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  // A default that the binding alone has.
  m.def("forward", &forward, "ReLU", py::arg("x"), py::arg("floor") = 0.0f);
  // A function without a name.
  m.def("relu", [](torch::Tensor x) {
    TORCH_CHECK(x.dim() > 0, "no scalars");
    return forward(x, 0.0);
  });
}
