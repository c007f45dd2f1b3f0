// Collectives of warps against what the programming guide says of them.

#include "Run.h"

namespace {

using Warps = EmulateTest;

__global__ void shuffles(int *out) {
  const int t = threadIdx.x;
  out[t] = __shfl_sync(0xffffffffu, t, 3);
  out[32 + t] = __shfl_up_sync(0xffffffffu, t, 2);
  out[64 + t] = __shfl_down_sync(0xffffffffu, t, 2, 8);
  out[96 + t] = __shfl_xor_sync(0xffffffffu, t, 5);
  out[128 + t] = static_cast<int>(__shfl_sync(0xffffffffu, t * 0.5, t + 1, 16) * 2);
}

TEST_F(Warps, Shuffles) {
  const Device<int> Out(160);
  LAUNCH(shuffles, Barriers, 1, 32)(Out);
  const std::vector<int> Got = Out.get();
  for (int T = 0; T < 32; ++T) {
    EXPECT_EQ(Got[T], 3);
    EXPECT_EQ(Got[32 + T], T < 2 ? T : T - 2);
    EXPECT_EQ(Got[64 + T], T % 8 < 6 ? T + 2 : T);
    EXPECT_EQ(Got[96 + T], T ^ 5);
    EXPECT_EQ(Got[128 + T], T / 16 * 16 + (T + 1) % 16);
  }
  EXPECT_EQ(texts(), "");
}

__global__ void votes(unsigned *out) {
  const unsigned t = threadIdx.x, m = t < 16 ? 0xffffu : 0xffff0000u;
  out[t] = __ballot_sync(m, t % 2);
  out[32 + t] =
      __any_sync(m, t == 3) * 100 + __all_sync(m, t >= 16) * 10 + __uni_sync(0xffffffffu, 1);
  out[64 + t] = __match_any_sync(0xffffffffu, t % 4);
  int all = 0;
  out[96 + t] = __match_all_sync(m, t / 16, &all) + all;
  out[128 + t] = __reduce_add_sync(m, t);
  out[160 + t] = __reduce_max_sync(m, static_cast<int>(t) - 40);
}

TEST_F(Warps, VotesMatchesAndReductions) {
  const Device<unsigned> Out(192);
  LAUNCH(votes, Barriers, 1, 32)(Out);
  const std::vector<unsigned> Got = Out.get();
  for (unsigned T = 0; T < 32; ++T) {
    EXPECT_EQ(Got[T], T < 16 ? 0xaaaau : 0xaaaa0000u);
    EXPECT_EQ(Got[32 + T], T < 16 ? 101u : 11u);
    EXPECT_EQ(Got[64 + T], 0x11111111u << T % 4);
    EXPECT_EQ(Got[96 + T], (T < 16 ? 0xffffu : 0xffff0000u) + 1);
    EXPECT_EQ(Got[128 + T], T < 16 ? 120u : 376u);
    EXPECT_EQ(Got[160 + T], T < 16 ? unsigned(-25) : unsigned(-9));
  }
  EXPECT_EQ(texts(), "");
}

// Lanes that meet in a branch are the active ones.
__global__ void aggregated(int *counter, int *slots) {
  if (threadIdx.x % 3 == 0) {
    const unsigned active = __activemask();
    const int leader = __ffs(active) - 1, lane = threadIdx.x % 32;
    int base = 0;
    if (lane == leader)
      base = atomicAdd(counter, __popc(active));
    base = __shfl_sync(active, base, leader);
    slots[base + __popc(active & __lanemask_lt())] = threadIdx.x;
  }
}

TEST_F(Warps, ActiveMaskInABranch) {
  const Device<int> Counter(1), Slots(22);
  LAUNCH(aggregated, Barriers, 1, 64)(Counter, Slots);
  EXPECT_EQ(Counter.get()[0], 22);
  EXPECT_EQ(Slots.get()[1], 3);
  EXPECT_EQ(texts(), "");
}

__global__ void exited(int *out) {
  if (threadIdx.x >= 20)
    return;
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, 1, 16);
}

TEST_F(Warps, ReadingALaneThatHasExitedIsANote) {
  const Device<int> Out(32);
  LAUNCH(exited, Barriers, 1, 32)(Out);
  EXPECT_EQ(only("shuffle-missing-lane").Rejects, 0);
  EXPECT_EQ(Out.get()[3], 1);
  EXPECT_NE(Out.get()[4], 1);
}

__global__ void notInMask(int *out) { out[threadIdx.x] = __shfl_sync(0xffffu, 1, 0); }

TEST_F(Warps, ACallerThatIsNotInItsMask) {
  const Device<int> Out(32);
  LAUNCH(notInMask, Barriers, 1, 32)(Out);
  EXPECT_EQ(only("shuffle-missing-lane").Rejects, 1);
}

} // namespace
