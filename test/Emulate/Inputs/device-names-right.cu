#include <array>
#include <cuda_runtime.h>
#include <torch/extension.h>
#include <vector>

// What code of the host may do with the names of the device's variables.
#define CHECK(CALL)                                                                                \
  do {                                                                                             \
    cudaError_t e_ = (CALL);                                                                       \
    TORCH_CHECK(e_ == cudaSuccess, #CALL, ": ", cudaGetErrorString(e_));                           \
  } while (0)
#define TABLE table

constexpr int N = 4;
__constant__ float table[N];
__constant__ constexpr float fixed[3] = {1.f, 1.f, 1.f};
__device__ const float one = 1.f;
__device__ const float *pointer;
__device__ __managed__ int seen = 0;
namespace config {
struct Parameters {
  float a, b;
};
__constant__ Parameters parameters;
static __device__ unsigned ticket;
} // namespace config
struct Holder {
  static __device__ float member[2];
};
__device__ float Holder::member[2];
template <typename T> __constant__ T typed;

__host__ __device__ inline float scaleOf(int i) {
#ifdef __CUDA_ARCH__
  return table[i] * fixed[0];
#else
  return 1.f;
#endif
}

template <typename T> void upload(const std::vector<T> &v) {
  CHECK(cudaMemcpyToSymbol(TABLE, v.data(), v.size() * sizeof(T)));
  CHECK(cudaMemcpyToSymbolAsync(table, v.data(), sizeof(table), 0, cudaMemcpyHostToDevice, 0));
}

__global__ void relu(const float *in, float *out, int n, const float *by, const float *type) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) {
    atomicAdd(&seen, 1);
    atomicInc(&config::ticket, 100);
  }
  if (i < n)
    out[i] = fmaxf(in[i], 0.f) * scaleOf(i % N) * pointer[1] * by[1] * one * config::parameters.a *
             Holder::member[0] * *type;
}

torch::Tensor forward(torch::Tensor x) {
  torch::Tensor in = x.contiguous(), out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  static_assert(fixed[1] == 1.f && sizeof(table) == 16, "");
  std::array<float, sizeof(table) / sizeof(table[0])> host;
  host.fill(fixed[2] * one);
  upload(std::vector<float>(host.begin(), host.end()));
  const config::Parameters parameters{1.f, 2.f};
  CHECK(cudaMemcpyToSymbol(config::parameters, &parameters, sizeof(parameters)));
  CHECK(cudaMemcpyToSymbol(Holder::member, host.data(), sizeof(Holder::member)));
  CHECK(cudaMemcpyToSymbol(typed<float>, host.data(), sizeof(float)));
  const unsigned zero = 0;
  CHECK(cudaMemcpyToSymbol(config::ticket, &zero, sizeof(zero)));
  float *by, *type;
  CHECK(cudaGetSymbolAddress((void **)&by, table));
  CHECK(cudaGetSymbolAddress((void **)&type, typed<float>));
  const float *const copied = by;
  CHECK(cudaMemcpyToSymbol(pointer, &copied, sizeof(copied)));
  CHECK(cudaMemcpyToSymbol(table, host.data(), 2 * sizeof(float), sizeof(float)));
  CHECK(cudaMemcpyToSymbol(seen, &zero, sizeof(seen)));
  // No symbols: their addresses, also as what they decay to, and a variable of the function.
  TORCH_CHECK(cudaMemcpyToSymbol(&config::ticket, &zero, 4) == cudaErrorInvalidSymbol, "address");
  TORCH_CHECK(cudaMemcpyToSymbol(&table[0], &zero, 4) == cudaErrorInvalidSymbol, "element");
  TORCH_CHECK(cudaMemcpyToSymbolAsync(table + 0, &zero, 4) == cudaErrorInvalidSymbol, "decayed");
  TORCH_CHECK(cudaMemcpyFromSymbol(host.data(), &table, 16) == cudaErrorInvalidSymbol, "array");
  TORCH_CHECK(cudaMemcpyFromSymbol(host.data(), by, 16) == cudaErrorInvalidSymbol, "pointer");
  float *none;
  TORCH_CHECK(cudaGetSymbolAddress((void **)&none, &typed<float>) == cudaErrorInvalidSymbol, "");
  TORCH_CHECK(cudaGetLastError() == cudaErrorInvalidSymbol, "last");
  seen = 0;
  relu<<<(n + 255) / 256, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), n, by, type);
  CHECK(cudaDeviceSynchronize());
  decltype(table) back = {};
  unsigned ticket;
  CHECK(cudaMemcpyFromSymbol(back, table, sizeof(back), 0, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyFromSymbol(&ticket, config::ticket, sizeof(ticket)));
  TORCH_CHECK(seen == 1 && ticket == 1 && back[3] == 1.f, "not launched");
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
