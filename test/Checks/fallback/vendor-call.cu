// RUN: not %cupel lint --checks=fallback-vendor-call %s | FileCheck %s --implicit-check-not='[fallback-vendor-call]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <cublasLt.h>
#include <cufft.h>
#include <curand_kernel.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

struct Relu {
  __host__ __device__ float operator()(float x) const { return x > 0 ? x : 0; }
};

void blas(cublasHandle_t handle, const float *a, float *c) {
  const float one = 1, zero = 0;
  // CHECK: vendor-call.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: 'cublasSgemm_v2' leaves the work to the library cublas [fallback-vendor-call]
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, a, 4, a, 4, &zero, c, 4);
}

#define GEMM(type) cublas##type##gemm_v2
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'cublasDgemm_v2' leaves the work to the library cublas{{.*}}[fallback-vendor-call]
static decltype(&GEMM(D)) pasted = &GEMM(D);
void *usePointer() { return (void *)pasted; }

void segmented(const float *in, float *out, const int *offsets) {
  using Reduce = cub::DeviceSegmentedReduce;
  size_t bytes = 0;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'cub::DeviceSegmentedReduce::Sum' leaves the work to the library cub{{.*}}[fallback-vendor-call]
  Reduce::Sum(nullptr, bytes, in, out, 4, offsets, offsets + 1);
}

void algorithms(float *x, int n) {
  auto p = thrust::device_pointer_cast(x);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'thrust::transform' leaves the work to the library thrust{{.*}}[fallback-vendor-call]
  thrust::transform(thrust::device, p, p + n, p, Relu());
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'thrust::sort' leaves{{.*}}[fallback-vendor-call]
  thrust::sort(thrust::device, p, p + n);
}

// Declared by hand, without the library's header.
extern "C" int cutensorContract(void *);
void declared() {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'cutensorContract' leaves the work to the library cutensor{{.*}}[fallback-vendor-call]
  cutensorContract(nullptr);
}

void fourier(cufftHandle plan, cufftComplex *x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'cufftExecC2C' leaves the work to the library cufft{{.*}}[fallback-vendor-call]
  cufftExecC2C(plan, x, x, CUFFT_FORWARD);
}

void prepares() {
  cublasHandle_t handle;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'cublasCreate_v2' prepares a call of the library cublas{{.*}}[fallback-vendor-call]
  cublasCreate(&handle);
}

// Look-alikes. None of them may be reported.
namespace own {
int cublasSgemm(int x) { return x; }
namespace thrust {
float transform(float x) { return x; }
} // namespace thrust
struct DeviceReduce {
  static int Sum(int x) { return x; }
};
} // namespace own
extern "C" int cudnnLikeFunctionOfMine(int x) { return x; }

__global__ void kernel(const float *in, float *out, curandState *state) {
  using Block = cub::BlockReduce<float, 256>;
  __shared__ typename Block::TempStorage storage;
  float sum = Block(storage).Sum(in[threadIdx.x]);          // accepted: device code of cub
  __shared__ typename cub::WarpReduce<float>::TempStorage warp;
  sum += cub::WarpReduce<float>(warp).Sum(sum);             // accepted: device code of cub
  auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  sum += cooperative_groups::reduce(tile, sum, cooperative_groups::plus<float>()); // accepted: cooperative groups
  curand_init(1, threadIdx.x, 0, state);                    // accepted: the device interface of cuRAND
  out[threadIdx.x] = sum + curand_uniform(state);           // accepted: the device interface of cuRAND
  out[0] = thrust::get<0>(thrust::make_tuple(1.f, 2.f));    // accepted: a tuple
}

void accepted(float *x) {
  own::cublasSgemm(3);                                      // accepted: an own function
  own::thrust::transform(1.f);                              // accepted: an own namespace
  own::DeviceReduce::Sum(1);                                // accepted: an own class
  cudnnLikeFunctionOfMine(1);                               // accepted: defined here
  thrust::make_counting_iterator(0);                        // accepted: an iterator
  thrust::device_pointer_cast(x);                           // accepted: a pointer
  using Result = decltype(cublasCreate(nullptr));           // accepted: not evaluated
  kernel<<<1, 256>>>(x, x, nullptr);                        // accepted: an own kernel
  cudaMemcpyAsync(x, x, 4, cudaMemcpyDeviceToDevice, 0);    // accepted: the CUDA runtime
  sizeof(cublasHandle_t);                                   // accepted: a type of the library
}
// CHECK: rejected: 7 rejects, 1 note
