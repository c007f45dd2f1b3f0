// Textures, references to memory in objects, and memory that host and device share.
// RUN: not %cupel lint --checks=work-unwritten-output,work-constant-output,reuse-prepared-input,reuse-result %s | FileCheck %s --implicit-check-not='[work-' --implicit-check-not='[reuse-'
// REQUIRES: cupel, torch, cuda-headers

#include <cuda/atomic>
#include <torch/extension.h>

struct Ends { const float *from; float *to; int count; };

__global__ void relu(const float *x, float *y, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    y[i] = fmaxf(x[i], 0.f);
}
__global__ void followed(const Ends *ends) {
  for (int i = threadIdx.x; i < ends->count; i += blockDim.x)
    ends->to[i] = fmaxf(ends->from[i], 0.f);
}
__global__ void listed(float *const *table, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    table[1][i] = fmaxf(table[0][i], 0.f);
}

// Textures.
__global__ void fetched(cudaTextureObject_t texture, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = tex1Dfetch<float>(texture, i);
}
static cudaTextureObject_t textureOf(const torch::Tensor &x) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = x.data_ptr<float>();
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = x.numel() * sizeof(float);
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}
torch::Tensor texture(torch::Tensor x) {
  auto y = torch::empty_like(x);
  fetched<<<4, 256>>>(textureOf(x), y.data_ptr<float>(), x.numel());
  return y; // accepted: the texture is the input
}
__global__ void indexed(cudaTextureObject_t texture, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = i;
}
// CHECK: host-memory.cu:[[@LINE+1]]:39: reject: the output does not depend on the data of 'x'{{.*}}[work-constant-output]
torch::Tensor unfetched(torch::Tensor x) {
  auto y = torch::empty_like(x);
  indexed<<<4, 256>>>(textureOf(x), y.data_ptr<float>(), x.numel());
  return y;
}

// References.
__global__ void added(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    cuda::atomic_ref<float, cuda::thread_scope_device> sum(y[0]);
    sum.fetch_add(x[i]);
  }
}
__global__ void counted(const float *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    cuda::atomic_ref<int, cuda::thread_scope_device>(y[int(x[i])]).fetch_add(1, cuda::memory_order_relaxed);
}
torch::Tensor sum(torch::Tensor x) {
  auto y = torch::zeros({1}, x.options());
  added<<<4, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y; // accepted: stored through an object
}
torch::Tensor histogram(torch::Tensor x) {
  auto y = torch::zeros({16}, x.options().dtype(torch::kInt));
  counted<<<4, 256>>>(x.data_ptr<float>(), y.data_ptr<int>(), x.numel());
  return y; // accepted: the same, of a temporary
}
__global__ void filled(const float *x, float *y, int n) {
  __shared__ int rounds;
  cuda::atomic_ref<int, cuda::thread_scope_block> count(rounds);
  count.fetch_add(1);
  if (x)
    y[threadIdx.x] = 1.f;
}
// CHECK: :[[@LINE+1]]:38: reject: the output does not depend on the data of 'x'{{.*}}[work-constant-output]
torch::Tensor constant(torch::Tensor x) {
  auto y = torch::empty_like(x);
  filled<<<4, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

// Memory of both.
torch::Tensor mapped(torch::Tensor x) {
  auto y = torch::empty_like(x);
  float *host = nullptr, *device = nullptr;
  cudaHostAlloc(&host, x.numel() * 4, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&device, host, 0);
  relu<<<1, 256>>>(x.data_ptr<float>(), device, x.numel());
  cudaMemcpyAsync(y.data_ptr<float>(), host, x.numel() * 4, cudaMemcpyHostToDevice);
  return y; // accepted: through mapped memory
}
torch::Tensor managed(torch::Tensor x) {
  auto y = torch::empty_like(x);
  float *scratch;
  cudaMallocManaged(&scratch, x.numel() * 4);
  relu<<<1, 256>>>(x.data_ptr<float>(), scratch, x.numel());
  relu<<<1, 256>>>(scratch, y.data_ptr<float>(), x.numel());
  cudaFree(scratch);
  return y; // accepted: a scratch buffer
}
torch::Tensor pinnedEnds(torch::Tensor x) {
  auto y = torch::empty_like(x);
  Ends *host, *device;
  cudaMallocHost(&host, sizeof(Ends));
  cudaMalloc(&device, sizeof(Ends));
  host->from = x.data_ptr<float>();
  host->to = y.data_ptr<float>();
  host->count = x.numel();
  cudaMemcpyAsync(device, host, sizeof(Ends), cudaMemcpyHostToDevice);
  followed<<<1, 256>>>(device);
  return y; // accepted: a structure in pinned memory, copied
}
torch::Tensor managedEnds(torch::Tensor x) {
  auto y = torch::empty_like(x);
  Ends *ends;
  cudaMallocManaged(&ends, sizeof(Ends));
  ends->from = x.data_ptr<float>();
  ends->to = y.data_ptr<float>();
  ends->count = x.numel();
  followed<<<1, 256>>>(ends);
  return y; // accepted: a structure in managed memory
}
torch::Tensor mappedEnds(torch::Tensor x) {
  auto y = torch::empty_like(x);
  static Ends *host = nullptr, *device = nullptr;
  if (!host) {
    cudaHostAlloc((void **)&host, sizeof(Ends), cudaHostAllocMapped);
    cudaHostGetDevicePointer((void **)&device, host, 0);
  }
  *host = Ends{x.data_ptr<float>(), y.data_ptr<float>(), int(x.numel())};
  followed<<<1, 256>>>(device);
  return y; // accepted: filled after the device's address was asked for
}
torch::Tensor managedList(torch::Tensor x) {
  auto y = torch::empty_like(x);
  float **table;
  cudaMallocManaged(&table, 2 * sizeof(float *));
  table[0] = x.data_ptr<float>();
  table[1] = y.data_ptr<float>();
  listed<<<1, 256>>>(table, x.numel());
  return y; // accepted: a list in managed memory
}
torch::Tensor otherEnds(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  Ends *ends;
  cudaMallocManaged(&ends, sizeof(Ends));
  ends->from = x.data_ptr<float>();
  ends->to = z.data_ptr<float>();
  followed<<<1, 256>>>(ends);
  // CHECK: :[[@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return y;
}
torch::Tensor pointed(torch::Tensor x) {
  static torch::Tensor kept;
  static bool isDone = false;
  torch::Tensor *place = &kept;
  if (!isDone) {
    *place = torch::empty_like(x);
    relu<<<1, 256>>>(x.data_ptr<float>(), place->data_ptr<float>(), x.numel());
    isDone = true;
  }
  // CHECK: :[[@LINE+1]]:3: reject: the second call can return a tensor that the first one made{{.*}}[reuse-result]
  return *place;
}
torch::Tensor managedResult(torch::Tensor x) {
  static float *kept = nullptr;
  auto y = torch::empty_like(x);
  if (!kept) {
    // CHECK: :[[@LINE+1]]:24: reject: what a kernel makes from an input is kept here{{.*}}[reuse-prepared-input]
    cudaMallocManaged(&kept, x.numel() * 4);
    relu<<<1, 256>>>(x.data_ptr<float>(), kept, x.numel());
  }
  relu<<<1, 256>>>(kept, y.data_ptr<float>(), x.numel());
  return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("texture", &texture); m.def("unfetched", &unfetched); m.def("sum", &sum);
  m.def("histogram", &histogram); m.def("constant", &constant); m.def("mapped", &mapped);
  m.def("managed", &managed); m.def("pinnedEnds", &pinnedEnds); m.def("managedEnds", &managedEnds);
  m.def("mappedEnds", &mappedEnds); m.def("managedList", &managedList);
  m.def("otherEnds", &otherEnds); m.def("pointed", &pointed); m.def("managedResult", &managedResult);
}
