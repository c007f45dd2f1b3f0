#include <torch/extension.h>
#include <torch/python.h>

#include <ATen/cuda/DeviceUtils.cuh>

#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/pipeline>
#include <cuda/std/array>

namespace cg = cooperative_groups;

// Torch tells nvcc that 16-bit floats have no operators.
template <typename T, typename = void> struct HasProduct : std::false_type {};
template <typename T>
struct HasProduct<T, decltype(void(std::declval<T>() * std::declval<T>()))> : std::true_type {};
static_assert(!HasProduct<__half>::value && !HasProduct<__half2>::value &&
              !std::is_convertible_v<float, __nv_bfloat16> && HasProduct<float>::value);

// Nothing here names what its threads wait for but torch's own device function.
using Values = torch::PackedTensorAccessor32<float, 1, torch::RestrictPtrTraits>;
__global__ void clampToZero(Values values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float other = WARP_SHFL_DOWN(1.0f, 16);
  if (i < values.size(0))
    values[i] = fmaxf(values[i], 0.0f) * (threadIdx.x < 16 ? other : 1.0f);
}

// A staged copy, a barrier in shared memory, whose constructor does not run, and the toolkit's own
// operators and arrays. The block's sum, which CUB works out, is taken away again.
__global__ void relu(const float *in, float *out, int n) {
  __shared__ float tile[256];
  __shared__ typename cub::BlockReduce<int, 256>::TempStorage storage;
  __shared__ cuda::barrier<cuda::thread_scope_block> loaded;
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&loaded, block.size());
  block.sync();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  if (i < n)
    cuda::memcpy_async(&tile[threadIdx.x], &in[i], sizeof(float), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  loaded.arrive_and_wait();
  const cuda::std::array<float, 2> candidates = {i < n ? tile[threadIdx.x] : 0.0f, 0.0f};
  pipe.consumer_release();
  const int count = cub::BlockReduce<int, 256>(storage).Sum(i < n);
  const int whole = min(256, n - static_cast<int>(blockIdx.x) * 256);
  if (i < n)
    out[i] = cuda::maximum<>{}(candidates[0], candidates[1]) +
             (threadIdx.x == 0 ? static_cast<float>(count - whole) : 0.0f);
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  cudaLaunchConfig_t config = {};
  config.gridDim = (n + 255) / 256;
  config.blockDim = 256;
  cudaLaunchKernelEx(&config, relu, in.data_ptr<float>(), out.data_ptr<float>(), n);
  torch::Tensor flat = out.view({-1});
  clampToZero<<<(n + 255) / 256, 256>>>(flat.packed_accessor32<float, 1, torch::RestrictPtrTraits>());
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
