// Memory, copies, streams, events, graphs, atomics, kernels by address.

#include "Run.h"

namespace {

using Memory = EmulateTest;

__constant__ float Factors[4];
__device__ int Counter;

__global__ void scale(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * Factors[i % 4];
}

TEST_F(Memory, ConstantMemory) {
  const float Values[] = {1, 2, 3, 4};
  ASSERT_EQ(cudaMemcpyToSymbol(Factors, Values, sizeof Values), cudaSuccess);
  const Device<float> In(std::vector<float>(10, 2.0f)), Out(10);
  LAUNCH(scale, Never, 1, 32)(In, Out, 10);
  EXPECT_EQ(Out.get(), (std::vector<float>{2, 4, 6, 8, 2, 4, 6, 8, 2, 4}));
  EXPECT_EQ(texts(), "");
}

__global__ void atomics(int *i, unsigned *u, float *f, unsigned long long *l) {
  atomicAdd(&Counter, 1);
  atomicMax(i, static_cast<int>(threadIdx.x));
  atomicInc(u, 9);
  atomicAdd(f, 0.5f);
  atomicCAS(l, 0ull, static_cast<unsigned long long>(threadIdx.x) + 7);
  atomicOr(l + 1, 1ull << threadIdx.x);
}

TEST_F(Memory, Atomics) {
  const Device<int> I(1);
  const Device<unsigned> U(1);
  const Device<float> F(1);
  const Device<unsigned long long> L(2);
  LAUNCH(atomics, Never, 100, 64)(I, U, F, L);
  int Count = 0;
  cudaMemcpyFromSymbol(&Count, Counter, sizeof Count);
  EXPECT_EQ(Count, 6400);
  EXPECT_EQ(I.get()[0], 63);
  EXPECT_EQ(U.get()[0], 0u);
  EXPECT_EQ(F.get()[0], 3200.0f);
  EXPECT_GE(L.get()[0], 7u);
  EXPECT_EQ(L.get()[1], ~0ull);
  EXPECT_EQ(texts(), "");
}

TEST_F(Memory, CopiesThatAGpuRefuses) {
  const Device<float> A(4);
  std::vector<float> Host(8);
  EXPECT_EQ(cudaMemcpy(A, Host.data(), 32, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(Host.data(), A, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(A + 1), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_F(Memory, NewMemoryIsNotZero) {
  float *A = nullptr, Value = 0;
  ASSERT_EQ(cudaMalloc(&A, 4), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(&Value, A, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_NE(Value, Value);
  cudaFree(A);
}

__global__ void increment(int *at) { *at += 1; }

TEST_F(Memory, GraphsAreReplayed) {
  const Device<int> A(1);
  cudaStream_t S, Other;
  cudaEvent_t E;
  cudaStreamCreate(&S);
  cudaStreamCreate(&Other);
  cudaEventCreate(&E);
  cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal);
  LAUNCH(increment, Never, 1, 1, 0, S)(A);
  cudaEventRecord(E, S);
  cudaStreamWaitEvent(Other, E, 0);
  LAUNCH(increment, Never, 1, 1, 0, Other)(A);
  cudaGraph_t G;
  ASSERT_EQ(cudaStreamEndCapture(S, &G), cudaSuccess);
  EXPECT_EQ(A.get()[0], 0);
  cudaGraphExec_t X;
  ASSERT_EQ(cudaGraphInstantiate(&X, G, 0), cudaSuccess);
  cudaGraphLaunch(X, S);
  cudaGraphLaunch(X, S);
  EXPECT_EQ(A.get()[0], 4);
  EXPECT_EQ(cudaStreamSynchronize(S), cudaSuccess);
  cudaGraphExecDestroy(X);
  cudaGraphDestroy(G);
  cudaStreamDestroy(S);
  EXPECT_EQ(cudaStreamSynchronize(S), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_F(Memory, KernelsByAddress) {
  const Device<int> A(1);
  int *Pointer = A;
  void *Arguments[] = {&Pointer};
  EXPECT_EQ(cudaLaunchKernel(reinterpret_cast<const void *>(increment), dim3(1), dim3(1), Arguments,
                             0, 0),
            cudaErrorInvalidDeviceFunction);
  const auto Known = emu::registered(emu::Site{"increment", 1, emu::Waits::Never}, increment);
  EXPECT_EQ(
      cudaLaunchKernel(reinterpret_cast<const void *>(Known), dim3(1), dim3(1), Arguments, 0, 0),
      cudaSuccess);
  EXPECT_EQ(A.get()[0], 1);
  cudaGetLastError();
}

} // namespace
