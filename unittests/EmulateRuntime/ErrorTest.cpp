// Errors of kernels are found, and told with kernel, block, thread and line. Sources as the
// rewriter leaves them.

#include "Run.h"

#include <bit>

namespace {

using Errors = EmulateTest;

constexpr unsigned ReadLine = __LINE__ + 4;
__global__ void readPast(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    out[i] = in[i];
}

TEST_F(Errors, GlobalReadPastTheEnd) {
  const Device<float> In(100), Out(101);
  LAUNCH(readPast, Never, 4, 32)(In, Out, 100);
  const CupelEmulationError E = only("global-out-of-bounds");
  EXPECT_STREQ(E.Text, "reads 4 bytes 0 bytes past the end of an allocation of 400 bytes");
  EXPECT_EQ(E.Line, ReadLine);
  EXPECT_STREQ(E.Kernel, "readPast");
  EXPECT_EQ(E.Block[0], 3u);
  EXPECT_EQ(E.Thread[0], 4u);
  EXPECT_EQ(E.Rejects, 1);
  EXPECT_NE(std::string(E.File).find("ErrorTest.cpp"), std::string::npos);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

__global__ void write(float *out, int at) { out[at] = 1.0f; }

TEST_F(Errors, GlobalWriteBeforeTheBegin) {
  const Device<float> Out(4);
  LAUNCH(write, Never, 1, 1)(Out, -1);
  EXPECT_STREQ(only("global-out-of-bounds").Text,
               "writes 4 bytes 4 bytes before an allocation of 16 bytes");
}

TEST_F(Errors, GlobalWriteToFreedMemory) {
  float *Out = nullptr;
  cudaMalloc(&Out, 64);
  cudaFree(Out);
  LAUNCH(write, Never, 1, 1)(Out, 2);
  EXPECT_STREQ(only("global-out-of-bounds").Text,
               "writes 4 bytes in freed memory: an allocation of 64 bytes");
}

TEST_F(Errors, NullPointer) {
  LAUNCH(write, Never, 1, 1)(nullptr, 0);
  EXPECT_STREQ(only("global-out-of-bounds").Text, "writes 4 bytes of the null pointer");
}

TEST_F(Errors, HostMemoryInAKernel) {
  // Of its own mapping: the heap may begin right behind the variables of this program.
  std::vector<float> Host(1 << 20);
  LAUNCH(write, Never, 1, 1)(Host.data(), 0);
  only("host-memory");
}

TEST_F(Errors, DeviceMemoryOnTheHost) {
  float *Out = nullptr;
  cudaMalloc(&Out, 64);
  Out[0] = 1.0f;
  only("device-memory-on-host");
  cudaFree(Out);
}

TEST_F(Errors, ManagedAndRegisteredMemoryIsForBoth) {
  float *Out = nullptr;
  cudaMallocManaged(&Out, 64);
  Out[1] = 2.0f;
  LAUNCH(write, Never, 1, 1)(Out, 0);
  EXPECT_EQ(Out[0], 1.0f);
  std::vector<float> Host(4);
  cudaHostRegister(Host.data(), 16, 0);
  LAUNCH(write, Never, 1, 1)(Host.data(), 3);
  cudaHostUnregister(Host.data());
  EXPECT_EQ(Host[3], 1.0f);
  EXPECT_EQ(texts(), "");
  cudaFree(Out);
}

__global__ void vectors(const float *in, float4 *out) {
  out[threadIdx.x].x = reinterpret_cast<const float4 *>(in + 1)->x;
}

__global__ void hinted(const float *in, float4 *out) {
  out[threadIdx.x] = __ldg(reinterpret_cast<const float4 *>(in + 2));
}

TEST_F(Errors, MisalignedVector) {
  const Device<float> In(16);
  const Device<float4> Out(1);
  LAUNCH(vectors, Never, 1, 1)(In, Out);
  EXPECT_STREQ(only("misaligned-address").Text,
               "an address that must be a multiple of 16 is one of 4 only");
  cupelEmulateReset();
  LAUNCH(hinted, Never, 1, 1)(In, Out);
  EXPECT_STREQ(only("misaligned-address").Text,
               "an address that must be a multiple of 16 is one of 8 only");
}

__global__ void copied(const float *in, float *out, int at) {
  float (&s)[32] = emu::sharedVariable<float[32], struct TagCopied>("s");
  for (int i = 0; i < 16; ++i)
    s[i] = in[i];
  if (at < 4)
    emu::whole(reinterpret_cast<float4 *>(out + at)[0]) =
        emu::whole(*reinterpret_cast<const float4 *>(in + 4));
  else
    emu::whole(*reinterpret_cast<float2 *>(out)) = emu::whole(*reinterpret_cast<float2 *>(s + at));
}

TEST_F(Errors, MisalignedCopies) {
  const Device<float> In(16), Out(16);
  for (const int At : {0, 4}) {
    LAUNCH(copied, Barriers, 1, 1)(In, Out, At);
    EXPECT_EQ(texts(), "");
  }
  for (const int At : {2, 5}) {
    LAUNCH(copied, Barriers, 1, 1)(In, Out, At);
    const CupelEmulationError E = only("misaligned-address");
    EXPECT_EQ(std::string(E.Text), std::string("an address that must be a multiple of ") +
                                       (At == 2 ? "16 is one of 8 only" : "8 is one of 4 only"));
    EXPECT_NE(E.Line, 0u);
    cupelEmulateReset();
  }
}

__global__ void sharedPast(float *out, int at) {
  float (&s)[32] = emu::sharedVariable<float[32], struct TagPast>("s");
  float (&t)[32] = emu::sharedVariable<float[32], struct TagPast2>("t");
  s[threadIdx.x] = t[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + at] + t[0];
}

TEST_F(Errors, SharedReadPastTheEnd) {
  const Device<float> Out(32);
  LAUNCH(sharedPast, Barriers, 1, 32)(Out, 0);
  EXPECT_EQ(texts(), "");
  LAUNCH(sharedPast, Barriers, 1, 32)(Out, 1);
  const CupelEmulationError E = only("shared-out-of-bounds");
  EXPECT_STREQ(E.Text, "reads 4 bytes, 0 bytes past the end of shared variable 's' of 128 bytes");
  EXPECT_EQ(E.Thread[0], 31u);
}

__global__ void dynamicPast(float *out, int at) {
  float (&s)[] = emu::dynamicShared<float (&)[]>();
  s[threadIdx.x + at] = 1.0f;
  out[threadIdx.x] = s[threadIdx.x + at];
}

TEST_F(Errors, DynamicSharedPastTheEnd) {
  const Device<float> Out(32);
  LAUNCH(dynamicPast, Barriers, 1, 32, 128)(Out, 0);
  EXPECT_EQ(texts(), "");
  LAUNCH(dynamicPast, Barriers, 1, 32, 128)(Out, 1);
  EXPECT_STREQ(only("shared-out-of-bounds").Text,
               "writes 4 bytes, 0 bytes past the end of dynamic shared memory of 128 bytes");
}

__global__ void uninitialised(float *out) {
  float (&s)[64] = emu::sharedVariable<float[64], struct TagUninitialised>("s");
  s[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + 32];
}

TEST_F(Errors, UninitialisedSharedIsANoteAndNaN) {
  const Device<float> Out(32);
  LAUNCH(uninitialised, Barriers, 1, 32)(Out);
  EXPECT_EQ(only("shared-uninitialised").Rejects, 0);
  EXPECT_NE(Out.get()[0], Out.get()[0]);
  // Another NaN than in memory that nobody wrote, else the output would pass for unwritten.
  EXPECT_NE(std::bit_cast<unsigned>(Out.get()[0]), 0xffffffffu);
}

template <bool WithBarrier> __global__ void reverse(const int *in, int *out) {
  int (&s)[64] = emu::sharedVariable<int[64], struct TagReverse>("s");
  s[threadIdx.x] = in[threadIdx.x];
  if (WithBarrier)
    __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

TEST_F(Errors, RaceBetweenAWriteAndARead) {
  const Device<int> In(64), Out(64);
  LAUNCH(reverse<true>, Barriers, 1, 64)(In, Out);
  EXPECT_EQ(texts(), "");
  LAUNCH(reverse<false>, Barriers, 1, 64)(In, Out);
  bool Race = false;
  for (const std::string &Kind : kinds())
    Race |= Kind == "shared-race";
  EXPECT_TRUE(Race) << texts();
}

// Whatever the compiler makes of it: the members one by one, or two by two.
__global__ void reverseVectors(const float4 *in, float4 *out) {
  float4(&s)[64] = emu::sharedVariable<float4[64], struct TagVectors>("s");
  s[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = s[63 - threadIdx.x];
}

TEST_F(Errors, ARaceTellsWhereTheVariableIsTouched) {
  const Device<float4> In(64), Out(64);
  LAUNCH(reverseVectors, Barriers, 1, 64)(In, Out);
  for (size_t I = 0; I < cupelEmulateErrorCount(); ++I) {
    const CupelEmulationError &E = *cupelEmulateErrorAt(I);
    if (E.Kind != std::string("shared-race"))
      continue;
    const bool Writes = std::string(E.Text).starts_with("writes");
    const unsigned Other = 63 - E.Thread[0], Element = Writes ? E.Thread[0] : Other;
    EXPECT_EQ(E.Text,
              (Writes ? "writes at byte " : "reads at byte ") + std::to_string(16 * Element) +
                  " of shared variable 's' of 1024 bytes, where thread (" + std::to_string(Other) +
                  ",0,0) " + (Writes ? "reads" : "writes") + " without a barrier between");
    return;
  }
  ADD_FAILURE() << texts();
}

__global__ void writeSame(int *out, int different) {
  int &s = emu::sharedVariable<int, struct TagSame>("s");
  s = different ? static_cast<int>(threadIdx.x) : 7;
  __syncthreads();
  out[threadIdx.x] = s;
}

TEST_F(Errors, EqualValuesWrittenByManyAreNoRace) {
  const Device<int> Out(64);
  LAUNCH(writeSame, Barriers, 1, 64)(Out, 0);
  EXPECT_EQ(texts(), "");
  EXPECT_EQ(Out.get()[5], 7);
  LAUNCH(writeSame, Barriers, 1, 64)(Out, 1);
  only("shared-race");
}

__global__ void histogram(int *out, int plain) {
  int (&s)[4] = emu::sharedVariable<int[4], struct TagHistogram>("s");
  if (threadIdx.x < 4)
    s[threadIdx.x] = 0;
  __syncthreads();
  if (plain)
    s[threadIdx.x % 4]++;
  else
    atomicAdd(&s[threadIdx.x % 4], 1);
  __syncthreads();
  if (threadIdx.x < 4)
    out[threadIdx.x] = s[threadIdx.x];
}

TEST_F(Errors, AtomicsDoNotRace) {
  const Device<int> Out(4);
  LAUNCH(histogram, Barriers, 1, 64)(Out, 0);
  EXPECT_EQ(Out.get(), std::vector<int>(4, 16));
  EXPECT_EQ(texts(), "");
  LAUNCH(histogram, Barriers, 1, 64)(Out, 1);
  EXPECT_NE(texts().find("shared-race"), std::string::npos);
}

template <bool WithBarrier> __global__ void accumulate(int *out) {
  int (&sum)[1] = emu::sharedVariable<int[1], struct TagSum>("sum");
  if (threadIdx.x == 0)
    sum[0] = 0;
  if constexpr (WithBarrier)
    __syncthreads();
  atomicAdd(&sum[0], 1);
  __syncthreads();
  out[threadIdx.x] = sum[0];
}

TEST_F(Errors, AtomicsOfAnotherWarpRaceWithTheFirstValue) {
  const Device<int> Out(64);
  LAUNCH(accumulate<true>, Barriers, 1, 64)(Out);
  EXPECT_EQ(Out.get(), std::vector<int>(64, 64));
  EXPECT_EQ(texts(), "");
  // Thread 0's own atomic stands between its plain write and those of the other threads.
  LAUNCH(accumulate<false>, Barriers, 1, 64)(Out);
  EXPECT_NE(texts().find("writes at byte 0 of shared variable 'sum' of 4 bytes, where thread "
                         "(0,0,0) writes as well without a barrier between"),
            std::string::npos)
      << texts();
}

template <bool WithBarrier> __global__ void warpReverse(int *out) {
  int (&s)[64] = emu::sharedVariable<int[64], struct TagWarp>("s");
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = s[threadIdx.x ^ (WithBarrier ? 31 : 32)];
}

TEST_F(Errors, ABarrierOfTheWarpOrdersTheWarpOnly) {
  const Device<int> Out(64);
  LAUNCH(warpReverse<true>, Barriers, 1, 64)(Out);
  EXPECT_EQ(texts(), "");
  EXPECT_EQ(Out.get()[33], 62);
  LAUNCH(warpReverse<false>, Barriers, 1, 64)(Out);
  bool Race = false;
  for (const std::string &Kind : kinds())
    Race |= Kind == "shared-race";
  EXPECT_TRUE(Race) << texts();
}

__global__ void divergent(int *out, int first) {
  if (static_cast<int>(threadIdx.x) < first) {
    __syncthreads();
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();
  }
}

TEST_F(Errors, DivergentBarriers) {
  const Device<int> Out(64);
  LAUNCH(divergent, Barriers, 1, 64)(Out, 32);
  EXPECT_EQ(only("barrier-divergence").Rejects, 0);
  cupelEmulateReset();
  LAUNCH(divergent, Barriers, 1, 64)(Out, 48);
  EXPECT_EQ(only("barrier-divergence").Rejects, 1);
}

// As many rounds as `rounds` has for the thread, each with a barrier.
__global__ void roundsDiffer(const int *rounds, int *out) {
  for (int round = 0; round < rounds[threadIdx.x]; ++round) {
    out[threadIdx.x] = round;
    __syncthreads();
  }
  __syncthreads();
}

// Lane 0 of the second warp has another number of rounds than the rest of the warp, which meets the
// first warp where that is.
TEST_F(Errors, DivergenceInAWarpIsToldBesideThatOfWarps) {
  std::vector<int> Rounds(64, 1);
  const Device<int> Out(64);
  LAUNCH(roundsDiffer, Barriers, 1, 64)(Device<int>(Rounds), Out);
  EXPECT_EQ(texts(), "");
  std::fill(Rounds.begin() + 32, Rounds.end(), 0);
  LAUNCH(roundsDiffer, Barriers, 1, 64)(Device<int>(Rounds), Out);
  EXPECT_EQ(only("barrier-divergence").Rejects, 0);
  cupelEmulateReset();
  std::fill(Rounds.begin() + 33, Rounds.end(), 1);
  LAUNCH(roundsDiffer, Barriers, 1, 64)(Device<int>(Rounds), Out);
  bool Rejects = false;
  for (size_t I = 0; I < cupelEmulateErrorCount(); ++I)
    Rejects |= cupelEmulateErrorAt(I)->Rejects != 0;
  EXPECT_TRUE(Rejects) << texts();
  EXPECT_NE(texts().find("threads of a warp meet in different barriers: this one and one in line "),
            std::string::npos)
      << texts();
}

// First whole warps meet in different barriers, then lanes of one: what rejects is told as itself.
__global__ void moreDivergent(int *out) {
  for (int first = 32; first <= 48; first += 16)
    divergent(out, first);
}

TEST_F(Errors, ANoteDoesNotBecomeTheErrorThatFollows) {
  const Device<int> Out(64);
  LAUNCH(moreDivergent, Barriers, 1, 64)(Out);
  ASSERT_GE(cupelEmulateErrorCount(), 2u) << texts();
  const CupelEmulationError &Note = *cupelEmulateErrorAt(0), &Error = *cupelEmulateErrorAt(1);
  EXPECT_EQ(Note.Rejects, 0);
  EXPECT_EQ(std::string(Note.Text).rfind("warps of a block meet", 0), 0u) << Note.Text;
  EXPECT_EQ(Error.Rejects, 1);
  EXPECT_EQ(std::string(Error.Text).rfind("threads of a warp meet", 0), 0u) << Error.Text;
  EXPECT_EQ(Error.Thread[0], 32u);
}

// A function's barrier, of the function's two callers.
[[gnu::noinline]] void barrierOfItsOwn() { __syncthreads(); }
__global__ void divergentCallers(int *out, int first) {
  const int t = threadIdx.x;
  out[t] = 0;
  if (t < first)
    barrierOfItsOwn();
  else
    barrierOfItsOwn();
  out[t] = 1;
}

TEST_F(Errors, ABarrierOfTwoCallersIsTwo) {
  const Device<int> Out(64);
  LAUNCH(divergentCallers, Barriers, 1, 64)(Out, 64);
  EXPECT_EQ(texts(), "");
  LAUNCH(divergentCallers, Barriers, 1, 64)(Out, 32);
  EXPECT_EQ(only("barrier-divergence").Rejects, 0);
  cupelEmulateReset();
  LAUNCH(divergentCallers, Barriers, 1, 64)(Out, 48);
  EXPECT_EQ(only("barrier-divergence").Rejects, 1);
}

// Nothing but a barrier in both branches, which could be one barrier behind them.
__global__ void divergentEnds(int *out, int first) {
  out[threadIdx.x] = 1;
  if (static_cast<int>(threadIdx.x) < first)
    __syncthreads();
  else
    __syncthreads();
}

TEST_F(Errors, BarriersThatEndBothBranchesStayTwo) {
  const Device<int> Out(64);
  LAUNCH(divergentEnds, Barriers, 1, 64)(Out, 64);
  EXPECT_EQ(texts(), "");
  LAUNCH(divergentEnds, Barriers, 1, 64)(Out, 32);
  EXPECT_EQ(only("barrier-divergence").Rejects, 0);
  cupelEmulateReset();
  LAUNCH(divergentEnds, Barriers, 1, 64)(Out, 48);
  EXPECT_EQ(only("barrier-divergence").Rejects, 1);
}

__global__ void missingLanes(int *out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_down_sync(0xffffffffu, 1, 1);
  else
    __syncthreads();
}

TEST_F(Errors, MissingLanesOfAShuffle) {
  const Device<int> Out(32);
  LAUNCH(missingLanes, Barriers, 1, 32)(Out);
  const CupelEmulationError E = only("shuffle-missing-lane");
  EXPECT_NE(std::string(E.Text).find("16 threads wait in __syncthreads"), std::string::npos)
      << E.Text;
}

constexpr unsigned SpinLine = __LINE__ + 3;
__global__ void spin(int *flag) {
  if (threadIdx.x == 7)
    while (atomicAdd(flag, 0) == 0)
      ;
  __syncthreads();
}

TEST_F(Errors, SpinningForeverIsADeadlock) {
  const Device<int> Flag(1);
  LAUNCH(spin, Anything, 1, 32)(Flag);
  const CupelEmulationError E = only("deadlock");
  EXPECT_EQ(E.Thread[0], 7u);
  EXPECT_EQ(E.Line, SpinLine);
  for (const char *Part : {"1 thread waits for memory that none of them will ever change",
                           "31 threads wait in __syncthreads"})
    EXPECT_NE(std::string(E.Text).find(Part), std::string::npos) << E.Text;
}

TEST_F(Errors, RefusedLaunches) {
  const Device<float> Out(4);
  LAUNCH(write, Never, 1, 1025)(Out, 0);
  EXPECT_EQ(only("launch-refused").Rejects, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cupelEmulateErrorAt(0)->Rejects, 0) << "the submission has seen the error";
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  LAUNCH(write, Never, 0, 1)(Out, 0);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  LAUNCH(write, Never, 1, 1, 49153)(Out, 0);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  cudaFuncSetAttribute(write, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  LAUNCH(write, Never, 1, 1, 49153)(Out, 0);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(Out.get()[0], 1.0f);
}

TEST_F(Errors, BlocksOverTheLaunchBounds) {
  const Device<float> Out(4);
  const emu::Site Bounded{"write", 7, emu::Waits::Never, 128};
  emu::launcher(Bounded, write)(1, dim3(32, 4))(Out, 0);
  EXPECT_EQ(texts(), "");
  emu::launcher(Bounded, write)(1, dim3(43, 3))(Out, 1);
  EXPECT_STREQ(only("launch-refused").Text,
               "the block (43,3,1) is over the kernel's __launch_bounds__ of 128 threads");
  EXPECT_EQ(cupelEmulateErrorAt(0)->Line, 7u);
  EXPECT_EQ(cupelEmulateErrorAt(0)->InThread, 0);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  auto *Pointer = reinterpret_cast<const void *>(emu::registered(Bounded, write));
  float *To = Out;
  int At = 2;
  void *Arguments[] = {&To, &At};
  const unsigned Line = __LINE__ + 1;
  EXPECT_EQ(cudaLaunchKernel(Pointer, 1, 129, Arguments, 0, nullptr), cudaErrorInvalidValue);
  ASSERT_EQ(cupelEmulateErrorCount(), 2u);
  EXPECT_STREQ(cupelEmulateErrorAt(1)->Kernel, "write");
  EXPECT_EQ(cupelEmulateErrorAt(1)->Line, Line);
  EXPECT_EQ(cudaLaunchKernel(Pointer, 1, 128, Arguments, 0, nullptr), cudaSuccess);
  cudaFuncAttributes Attributes;
  cudaFuncGetAttributes(&Attributes, Pointer);
  EXPECT_EQ(Attributes.maxThreadsPerBlock, 128);
  EXPECT_EQ(Out.get(), (std::vector<float>{1, 0, 1, 0}));
}

constexpr unsigned LargeLine = __LINE__ + 2;
__global__ void large(float *out) {
  float (&s)[12289] = emu::sharedVariable<float[12289], struct TagLarge>("s");
  s[0] = 1;
  out[0] = s[0];
}

TEST_F(Errors, StaticSharedMemoryOverTheLimit) {
  const Device<float> Out(1);
  LAUNCH(large, Barriers, 1, 1)(Out);
  const CupelEmulationError E = only("launch-refused");
  EXPECT_STREQ(E.Text, "the kernel's static shared memory is over the limit of 48 KiB");
  EXPECT_EQ(E.Line, LargeLine);
}

__global__ void failing(int *out) {
  assert(out[0] == 1);
  out[1] = 1;
}

TEST_F(Errors, AssertionEndsTheKernel) {
  const Device<int> Out(2);
  LAUNCH(failing, Never, 1, 1)(Out);
  only("device-assert");
  EXPECT_EQ(Out.get()[1], 0);
}

// CUDA's header has templates between the call and the runtime's function.
TEST_F(Errors, LaunchesByAddressThatAreRefusedHaveALine) {
  const Device<float> Out(4);
  float *Given = Out;
  int At = 0;
  void *Arguments[] = {&Given, &At};
  auto *Kernel = emu::registered(emu::Site{"write", 1, emu::Waits::Never}, write);
  const auto ExpectLine = [](unsigned Line) {
    EXPECT_EQ(only("launch-refused").Line, Line);
    cupelEmulateReset();
  };
  cudaLaunchConfig_t Config = {};
  Config.gridDim = 1;
  Config.blockDim = 2048;
  cudaLaunchKernelEx(&Config, Kernel, Given, At);
  ExpectLine(__LINE__ - 1);
  cudaLaunchKernel(Kernel, 1, 2048, Arguments, 0, nullptr);
  ExpectLine(__LINE__ - 1);
  cudaLaunchCooperativeKernel(Kernel, 1, 2048, Arguments, 0, nullptr);
  ExpectLine(__LINE__ - 1);
  cudaLaunchKernel(reinterpret_cast<const void *>(Kernel), 1, 2048, Arguments, 0, nullptr);
  ExpectLine(__LINE__ - 1);
}

} // namespace
