#include <torch/extension.h>

#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/pipeline>
#include <cuda/std/array>

namespace cg = cooperative_groups;

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
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
