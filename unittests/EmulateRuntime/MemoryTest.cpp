// Memory, copies, streams, events, graphs, atomics, kernels by address.

#include "Run.h"

#include <dlfcn.h>
#include <functional>

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

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float Side;
  __device__ explicit Square(float S) : Side(S) {}
  __device__ float area() const override { return Side * Side; }
};
__device__ Shape *makeShape(float side) { return new Square(side); }

__global__ void heapOfAThread(float *out, int n) {
  const int i = threadIdx.x;
  auto *values = static_cast<float *>(malloc(n * sizeof(float)));
  for (int j = 0; j < n; ++j)
    values[j] = static_cast<float>(i + j);
  auto *more = new int[4]{i, i, i, i};
  Shape *shape = makeShape(values[n - 1]);
  out[i] = shape->area() + static_cast<float>(more[3]);
  free(values);
  delete[] more;
  delete shape;
}

__device__ float *Kept;
__global__ void keeps(int n) { Kept = static_cast<float *>(malloc(n * sizeof(float))); }
__global__ void usesKept(int at) { Kept[at] = 1; }
__global__ void freesKept() { free(Kept); }
__global__ void freesGiven(float *p) { free(p); }

TEST_F(Memory, HeapOfKernels) {
  const Device<float> Out(2);
  LAUNCH(heapOfAThread, Never, 1, 2)(Out, 3);
  EXPECT_EQ(Out.get(), (std::vector<float>{4, 10}));
  // What a kernel leaves is there for the next one.
  LAUNCH(keeps, Never, 1, 1)(4);
  LAUNCH(usesKept, Never, 1, 1)(3);
  LAUNCH(freesKept, Never, 1, 1)();
  LAUNCH(freesGiven, Never, 1, 1)(nullptr);
  EXPECT_EQ(texts(), "");
}

TEST_F(Memory, HeapOfKernelsIsChecked) {
  LAUNCH(keeps, Never, 1, 1)(4);
  LAUNCH(usesKept, Never, 1, 1)(4);
  EXPECT_STREQ(only("global-out-of-bounds").Text,
               "writes 4 bytes 0 bytes past the end of an allocation of 16 bytes");
  cupelEmulateReset();
  LAUNCH(freesKept, Never, 1, 1)();
  EXPECT_EQ(texts(), "");
  LAUNCH(usesKept, Never, 1, 1)(0);
  EXPECT_STREQ(only("global-out-of-bounds").Text,
               "writes 4 bytes in freed memory: an allocation of 16 bytes");
  cupelEmulateReset();
  LAUNCH(freesKept, Never, 1, 1)();
  EXPECT_STREQ(only("invalid-free").Text, "frees memory that is freed already");
  cupelEmulateReset();
  // The two heaps are not each other's.
  const Device<float> Given(4);
  LAUNCH(freesGiven, Never, 1, 1)(Given);
  EXPECT_STREQ(only("invalid-free").Text,
               "frees memory that the host has allocated, by cudaMalloc or its kin");
  cupelEmulateReset();
  LAUNCH(freesGiven, Never, 1, 1)(Given + 1);
  EXPECT_STREQ(only("invalid-free").Text,
               "frees an address that no malloc of a kernel has returned");
  cupelEmulateReset();
  LAUNCH(keeps, Never, 1, 1)(4);
  float *Address = nullptr;
  cudaMemcpyFromSymbol(&Address, Kept, sizeof Address);
  EXPECT_EQ(cudaFree(Address), cudaErrorInvalidValue);
  LAUNCH(freesKept, Never, 1, 1)();
  EXPECT_EQ(texts(), "");
}

__global__ void fills(int *got, int n) {
  auto *p = new int[n];
  got[threadIdx.x] = p != nullptr;
}

TEST_F(Memory, HeapOfKernelsHasALimit) {
  size_t Limit = 0;
  cudaDeviceGetLimit(&Limit, cudaLimitMallocHeapSize);
  EXPECT_EQ(Limit, size_t(8) << 20);
  const Device<int> Got(3);
  LAUNCH(fills, Never, 1, 3)(Got, 3 << 18); // 3 MiB each.
  EXPECT_EQ(Got.get(), (std::vector<int>{1, 1, 0}));
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20);
  LAUNCH(fills, Never, 1, 3)(Got, 3 << 18);
  EXPECT_EQ(Got.get(), (std::vector<int>{1, 1, 1}));
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20);
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

// What a copy or a memset does wrong is told whether its status is looked at or not, and not done.
TEST_F(Memory, CopiesOverTheEnd) {
  static float Variable[4];
  const Device<float> A(8), B(8);
  std::vector<float> Host(64);
  const struct {
    const char *Text;
    std::function<cudaError_t()> Call;
  } Wrong[] = {
      {"cudaMemcpy writes 36 bytes across the end of an allocation of 32 bytes",
       [&] { return cudaMemcpy(A, Host.data(), 36, cudaMemcpyHostToDevice); }},
      {"cudaMemcpyAsync reads 32 bytes across the end of an allocation of 32 bytes",
       [&] { return cudaMemcpyAsync(A, B + 1, 32, cudaMemcpyDeviceToDevice, nullptr); }},
      {"cudaMemcpy2D writes 8 bytes 16 bytes past the end of an allocation of 32 bytes, in row 2 "
       "of "
       "3, 24 bytes apart",
       [&] { return cudaMemcpy2D(A, 24, Host.data(), 8, 8, 3, cudaMemcpyHostToDevice); }},
      {"cudaMemset writes 33 bytes across the end of an allocation of 32 bytes",
       [&] { return cudaMemset(A, 0, 33); }},
      {"cudaMemsetAsync writes 4 bytes of the null pointer",
       [&] { return cudaMemsetAsync(nullptr, 0, 4); }},
      {"cudaMemcpyToSymbol copies 8 bytes at offset 12 of a variable of 16 bytes",
       [&] { return cudaMemcpyToSymbol(Variable, Host.data(), 8, 12); }},
      {"cudaMemcpyFromSymbol writes 12 bytes across the end of an allocation of 32 bytes",
       [&] { return cudaMemcpyFromSymbol(B + 6, Variable, 12); }},
  };
  for (const auto &W : Wrong) {
    EXPECT_EQ(W.Call(), cudaErrorInvalidValue) << W.Text;
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    const CupelEmulationError E = only("global-out-of-bounds");
    EXPECT_STREQ(E.Text, W.Text);
    EXPECT_EQ(E.Rejects, 1);
    EXPECT_EQ(E.InThread, 0);
    EXPECT_NE(E.Line, 0u);
    cupelEmulateReset();
  }
  EXPECT_EQ(cudaMemcpy2D(A, 16, Host.data(), 8, 8, 2, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(A, B + 4, 16, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(A + 8, 0, 0), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(Variable, Host.data(), 4, 12), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(B, Variable, 16), cudaSuccess);
  EXPECT_EQ(texts(), "");
}

TEST_F(Memory, CopiesOverTheEndOfTheHostsMemory) {
  const Device<float> A(64);
  std::vector<float> Vector(8);
  auto *New = new float[8];
  auto *Allocated = static_cast<float *>(std::malloc(32));
  for (float *At : {Vector.data(), New, Allocated}) {
    EXPECT_EQ(cudaMemcpy(A, At, 32, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(At + 4, A, 16, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(texts(), "");
    cudaMemcpy(A, At, 33, cudaMemcpyHostToDevice);
    EXPECT_STREQ(only("host-out-of-bounds").Text,
                 "cudaMemcpy reads 33 bytes across the end of an allocation of the host of 32 "
                 "bytes");
    EXPECT_EQ(only("host-out-of-bounds").Rejects, 1);
    EXPECT_EQ(only("host-out-of-bounds").Line, unsigned(__LINE__ - 5));
    cupelEmulateReset();
    cudaMemcpyAsync(At + 4, A, 20, cudaMemcpyDeviceToHost, nullptr);
    only("host-out-of-bounds");
    cupelEmulateReset();
  }
  delete[] New;
  // It may grow where it is.
  Allocated = static_cast<float *>(std::realloc(Allocated, 64));
  EXPECT_EQ(cudaMemcpy(Allocated, A, 64, cudaMemcpyDeviceToHost), cudaSuccess);
  std::free(Allocated);
  // Freed by code that is not the submission's, and taken again, for more.
  auto *Old = static_cast<char *>(std::malloc(100));
  void (*volatile Free)(void *) = reinterpret_cast<void (*)(void *)>(dlsym(RTLD_DEFAULT, "free"));
  auto *volatile Allocate = reinterpret_cast<void *(*)(size_t)>(dlsym(RTLD_DEFAULT, "malloc"));
  Free(Old);
  auto *Again = static_cast<char *>(Allocate(108));
  EXPECT_EQ(Again, Old);
  std::memset(Again, 0, 108);
  EXPECT_EQ(cudaMemcpy(A, Again, 108, cudaMemcpyHostToDevice), cudaSuccess);
  Free(Again);
  EXPECT_EQ(texts(), "");
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

__global__ void addTo(int *x, int v) { *x = *x * 10 + v; }

// Nodes run behind those they depend on, whatever order they were made in; parameters can change.
TEST_F(Memory, GraphOfNodes) {
  for (unsigned long Seed = 0; Seed < 8; ++Seed) {
    cupelEmulateSeed(Seed);
    const Device<int> X(std::vector<int>{7});
    const auto Kernel = emu::registered(emu::Site{"addTo", 1, emu::Waits::Never}, addTo);
    cudaGraph_t Graph;
    cudaGraphExec_t Executable;
    cudaGraphNode_t First, Second, Third, Clear;
    int *At = X, Value = 2;
    void *Arguments[] = {&At, &Value};
    cudaKernelNodeParams P = {};
    P.func = reinterpret_cast<void *>(Kernel);
    P.gridDim = P.blockDim = dim3(1);
    P.kernelParams = Arguments;
    ASSERT_EQ(cudaGraphCreate(&Graph, 0), cudaSuccess);
    ASSERT_EQ(cudaGraphAddKernelNode(&Second, Graph, nullptr, 0, &P), cudaSuccess);
    Value = 3; // The arguments were copied.
    ASSERT_EQ(cudaGraphAddKernelNode(&Third, Graph, &Second, 1, &P), cudaSuccess);
    Value = 1;
    ASSERT_EQ(cudaGraphAddKernelNode(&First, Graph, nullptr, 0, &P), cudaSuccess);
    cudaMemsetParams Zero = {};
    Zero.dst = At;
    Zero.elementSize = Zero.height = 1;
    Zero.width = 4;
    ASSERT_EQ(cudaGraphAddMemsetNode(&Clear, Graph, nullptr, 0, &Zero), cudaSuccess);
    const cudaGraphNode_t From[] = {Clear, First}, To[] = {First, Second};
    ASSERT_EQ(cudaGraphAddDependencies(Graph, From, To, nullptr, 2), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&Executable, Graph, 0), cudaSuccess);
    EXPECT_EQ(X.get()[0], 7);
    ASSERT_EQ(cudaGraphLaunch(Executable, nullptr), cudaSuccess);
    EXPECT_EQ(X.get()[0], 123);
    Value = 9;
    ASSERT_EQ(cudaGraphExecKernelNodeSetParams(Executable, Second, &P), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(Executable, nullptr), cudaSuccess);
    EXPECT_EQ(X.get()[0], 193);
    // A circle has no order.
    ASSERT_EQ(cudaGraphAddDependencies(Graph, To + 1, From, nullptr, 1), cudaSuccess);
    cudaGraphExec_t None;
    EXPECT_EQ(cudaGraphInstantiate(&None, Graph, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGraphExecDestroy(Executable), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(Graph), cudaSuccess);
  }
  EXPECT_EQ(texts(), "");
}

} // namespace
