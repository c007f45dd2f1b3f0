// Barriers of the block, votes with them, and kernels that only barriers make right.

#include "Run.h"

#include <numeric>

namespace {

using Barriers = EmulateTest;

__global__ void blockSum(const float *in, float *out, int n) {
  float (&s)[256] = emu::sharedVariable<float[256], struct TagSum>("s");
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int w = 128; w > 0; w /= 2) {
    if (t < w)
      s[t] += s[t + w];
    __syncthreads();
  }
  if (t == 0)
    atomicAdd(out, s[0]);
}

TEST_F(Barriers, ReductionInSharedMemory) {
  const Device<float> In(std::vector<float>(10001, 1.0f)), Out(1);
  LAUNCH(blockSum, Barriers, 40, 256)(In, Out, 10001);
  EXPECT_EQ(Out.get()[0], 10001.0f);
  EXPECT_EQ(texts(), "");
}

__global__ void votes(int *out) {
  const int t = threadIdx.x;
  const int count = __syncthreads_count(t % 3 == 0), all = __syncthreads_and(t < 100),
            none = __syncthreads_or(t == 100);
  out[t] = count * 100 + all * 10 + none;
}

TEST_F(Barriers, Votes) {
  const Device<int> Out(96);
  LAUNCH(votes, Barriers, 1, 96)(Out);
  for (const int Value : Out.get())
    EXPECT_EQ(Value, 3210);
  EXPECT_EQ(texts(), "");
}

// Threads that have exited are not waited for (programming guide, 7.0 and later).
__global__ void earlyReturn(int *out, int n) {
  int &s = emu::sharedVariable<int, struct TagEarly>("s");
  if (static_cast<int>(threadIdx.x) >= n)
    return;
  if (threadIdx.x == 0)
    s = 5;
  __syncthreads();
  out[threadIdx.x] = s;
}

TEST_F(Barriers, ThreadsThatReturnedEarly) {
  const Device<int> Out(40);
  LAUNCH(earlyReturn, Barriers, 1, 64)(Out, 40);
  EXPECT_EQ(Out.get(), std::vector<int>(40, 5));
  EXPECT_EQ(texts(), "");
}

__global__ void producersLeave(int *out) {
  int (&s)[64] = emu::sharedVariable<int[64], struct TagProduced>("s");
  const int t = threadIdx.x;
  if (t < 64) {
    s[t] = t;
    emu::namedBarrier(1, 128, false);
  } else {
    emu::namedBarrier(1, 128, true);
    out[t - 64] = s[127 - t];
  }
}

TEST_F(Barriers, WhoArrivedMayLeave) {
  const Device<int> Out(64);
  LAUNCH(producersLeave, Barriers, 3, 128)(Out);
  for (int I = 0; I < 64; ++I)
    EXPECT_EQ(Out.get()[I], 63 - I);
  EXPECT_EQ(texts(), "");
}

__global__ void indices(int *out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

TEST_F(Barriers, IndicesInThreeDimensions) {
  const Device<int> Out(2 * 3 * 4 * 30);
  for (const bool Fibers : {false, true}) {
    if (Fibers)
      LAUNCH(indices, Barriers, dim3(2, 3, 4), dim3(5, 3, 2))(Out);
    else
      LAUNCH(indices, Never, dim3(2, 3, 4), dim3(5, 3, 2))(Out);
    const std::vector<int> Got = Out.get();
    for (int I = 0; I < 24 * 30; ++I)
      ASSERT_EQ(Got[I], I / 30 * 1000 + I % 30);
  }
}

// The last block to come adds up what the others left (the samples' threadFenceReduction).
__global__ void lastBlock(const int *in, int *parts, unsigned *ticket, int *out) {
  bool &last = emu::sharedVariable<bool, struct TagLast>("last");
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0)
    for (unsigned i = 0; i < gridDim.x; ++i)
      *out += parts[i];
}

TEST_F(Barriers, LastBlockReduction) {
  std::vector<int> Values(50);
  std::iota(Values.begin(), Values.end(), 0);
  const Device<int> In(Values), Parts(50), Out(1);
  const Device<unsigned> Ticket(1);
  LAUNCH(lastBlock, Barriers, 50, 64)(In, Parts, Ticket, Out);
  EXPECT_EQ(Out.get()[0], 49 * 25);
  EXPECT_EQ(Ticket.get()[0], 0u);
  EXPECT_EQ(texts(), "");
}

// Each block waits for the one before it: legal where tickets give the order.
__global__ void chain(int *flags, unsigned *ticket) {
  if (threadIdx.x == 0) {
    const unsigned own = atomicAdd(ticket, 1u);
    if (own > 0)
      while (*reinterpret_cast<volatile int *>(flags + own - 1) == 0)
        ;
    atomicExch(flags + own, static_cast<int>(own) + 1);
  }
}

// All blocks that fit on the GPU at once wait for each other.
__global__ void gridBarrier(unsigned *arrived, int *out) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < gridDim.x)
      ;
  }
  __syncthreads();
  out[blockIdx.x] = static_cast<int>(*arrived);
}

TEST_F(Barriers, OfAsManyBlocksAsFitAtOnce) {
  for (unsigned Blocks : {132u, 264u}) {
    const Device<unsigned> Arrived(1);
    const Device<int> Out(Blocks);
    LAUNCH(gridBarrier, Anything, Blocks, 128)(Arrived, Out);
    EXPECT_EQ(Out.get(), std::vector<int>(Blocks, static_cast<int>(Blocks)));
    EXPECT_EQ(texts(), "");
  }
}

TEST_F(Barriers, OfMoreBlocksThanFitIsADeadlock) {
  const Device<unsigned> Arrived(1);
  const Device<int> Out(700);
  // With 41 KiB for each block 5 of them fit on a multiprocessor, 660 on the GPU.
  LAUNCH(gridBarrier, Anything, 700, 32, 40 << 10)(Arrived, Out);
  EXPECT_EQ(kinds(), std::vector<std::string>{"deadlock"});
}

TEST_F(Barriers, BlocksThatWaitForOthers) {
  const Device<int> Flags(200);
  const Device<unsigned> Ticket(1);
  LAUNCH(chain, Anything, 200, 32)(Flags, Ticket);
  EXPECT_EQ(Flags.get()[199], 200);
  EXPECT_EQ(texts(), "");
}

} // namespace
