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
  EXPECT_STREQ(cupelEmulateErrorAt(0)->Kernel, "exited");
  EXPECT_STREQ(cupelEmulateErrorAt(0)->Text, "a shuffle reads lane 20, which has exited");
  EXPECT_EQ(cupelEmulateErrorAt(0)->Thread[0], 4u);
  EXPECT_EQ(Out.get()[3], 1);
  EXPECT_NE(Out.get()[4], 1);
  cupelEmulateReset();
  LAUNCH(exited, Barriers, 1, 20)(Out);
  EXPECT_STREQ(only("shuffle-missing-lane").Text,
               "a shuffle reads lane 20, which a block of 20 threads has not");
}

// The first lanes of a warp alone, with a mask of all, while the others end or do something else.
template <bool Ends> __global__ void firstLanes(int *out) {
  const int t = threadIdx.x;
  out[t] = 0;
  if (t < 16)
    out[t] = __shfl_xor_sync(0xffffffffu, t, 1);
  else if (!Ends)
    __syncthreads();
}

TEST_F(Warps, AMaskWithLanesThatHaveExitedIsANote) {
  const Device<int> Out(32);
  LAUNCH(firstLanes<true>, Barriers, 1, 32)(Out);
  const CupelEmulationError Note = only("shuffle-missing-lane");
  EXPECT_EQ(Note.Rejects, 0);
  EXPECT_EQ(std::string(Note.Text).rfind("the mask names 16 lanes that have exited", 0), 0u);
  EXPECT_EQ(Out.get()[15], 14);
  cupelEmulateReset();
  // A block without those lanes, and lanes that wait elsewhere.
  LAUNCH(firstLanes<true>, Barriers, 1, 16)(Out);
  EXPECT_EQ(texts(), "");
  LAUNCH(firstLanes<false>, Barriers, 1, 32)(Out);
  EXPECT_EQ(only("shuffle-missing-lane").Rejects, 1);
}

enum class Branches { Lines, OneLine, Inlined, Called, Vote, Barrier, OwnMasks };

CUPEL_DEVICE int sumOfPairs(int v) { return v + __shfl_xor_sync(0xffffffffu, v, 1); }

[[gnu::noinline]] int notInlined(int v) { return v + __shfl_xor_sync(0xffffffffu, v, 1); }

template <Branches Kind> __global__ void inBranches(int *out, int first) {
  const int t = threadIdx.x;
  if constexpr (Kind == Branches::Lines) {
    if (t < first)
      out[t] = __shfl_xor_sync(0xffffffffu, t, 1);
    else
      out[t] = __shfl_xor_sync(0xffffffffu, t, 1);
  } else if constexpr (Kind == Branches::OneLine) {
    out[t] = t < first ? __shfl_sync(0xffffffffu, t, 0) : __shfl_sync(0xffffffffu, t, 0);
  } else if constexpr (Kind == Branches::Inlined) {
    out[t] = t < first ? sumOfPairs(t) : sumOfPairs(2 * t);
  } else if constexpr (Kind == Branches::Called) {
    if (t < first)
      out[t] = notInlined(t);
    else
      out[t] = notInlined(2 * t);
  } else if constexpr (Kind == Branches::Vote) {
    if (t < first)
      out[t] = __any_sync(0xffffffffu, t == 3);
    else
      out[t] = __any_sync(0xffffffffu, t == 30);
  } else if constexpr (Kind == Branches::Barrier) {
    if (t < first)
      __syncwarp();
    else
      __syncwarp();
  } else {
    const unsigned low = (1u << first) - 1;
    if (t < first)
      out[t] = __shfl_sync(low, t, 0);
    else
      out[t] = __shfl_sync(~low, t, first);
  }
}

template <Branches Kind> void expectTwoCalls() {
  const Device<int> Out(32);
  LAUNCH(inBranches<Kind>, Barriers, 1, 32)(Out, 32);
  EXPECT_EQ(cupelEmulateErrorCount(), 0u) << "all lanes are in one call";
  LAUNCH(inBranches<Kind>, Barriers, 1, 32)(Out, 16);
  ASSERT_EQ(cupelEmulateErrorCount(), 1u) << int(Kind);
  const CupelEmulationError &E = *cupelEmulateErrorAt(0);
  EXPECT_STREQ(E.Kind, "shuffle-missing-lane");
  EXPECT_EQ(std::string(E.Text).rfind(
                "16 lanes of the mask are in another collective: not in this one", 0),
            0u)
      << E.Text;
  EXPECT_EQ(E.Rejects, 1);
  EXPECT_NE(E.Line, 0u);
  cupelEmulateReset();
}

TEST_F(Warps, ACollectiveOfBothBranchesIsTwo) {
  expectTwoCalls<Branches::Lines>();
  expectTwoCalls<Branches::OneLine>();
  expectTwoCalls<Branches::Inlined>();
  expectTwoCalls<Branches::Called>();
  expectTwoCalls<Branches::Vote>();
}

TEST_F(Warps, BranchesWithMasksOfTheirOwnAndBarriers) {
  const Device<int> Out(32);
  LAUNCH(inBranches<Branches::OwnMasks>, Barriers, 1, 32)(Out, 16);
  LAUNCH(inBranches<Branches::Barrier>, Barriers, 1, 32)(Out, 16);
  EXPECT_EQ(texts(), "");
  EXPECT_EQ(Out.get()[31], 16);
}

TEST_F(Warps, TheOtherCallIsToldByItsCaller) {
  const Device<int> Out(32);
  LAUNCH(inBranches<Branches::Called>, Barriers, 1, 32)(Out, 16);
  const CupelEmulationError E = only("shuffle-missing-lane");
  const std::string Text = E.Text, Line = std::to_string(E.Line);
  const std::string From = " (called from line ", Here = "not in this one" + From,
                    There = "), but in one in line " + Line + From;
  const size_t HereAt = Text.find(Here), ThereAt = Text.find(There);
  ASSERT_TRUE(HereAt != Text.npos && ThereAt != Text.npos) << Text;
  EXPECT_EQ(std::stoi(Text.substr(HereAt + Here.size())),
            std::stoi(Text.substr(ThereAt + There.size())) + 2)
      << Text;
}

// Honest: a function that is not inlined, with whole warps in a branch; in a loop whose rounds are
// not the same number for all; and in both branches, of the lanes that are in each.
[[gnu::noinline]] int countActive() { return __reduce_add_sync(__activemask(), 1u); }

__global__ void helped(int *out) {
  const int t = threadIdx.x;
  int v = t < 32 ? notInlined(1) : notInlined(2);
  for (int round = 0; round < t % 4; ++round)
    v += countActive();
  __syncwarp();
  if (t % 2)
    out[t] = v + countActive();
  else
    out[t] = v + 100 * countActive();
}

TEST_F(Warps, AFunctionThatIsNotInlined) {
  const Device<int> Out(64);
  LAUNCH(helped, Barriers, 1, 64)(Out);
  EXPECT_EQ(texts(), "");
  const int Rounds[] = {0, 24, 24 + 16, 24 + 16 + 8};
  for (int T = 0; T < 64; ++T)
    EXPECT_EQ(Out.get()[T], (T < 32 ? 2 : 4) + Rounds[T % 4] + (T % 2 ? 16 : 1600));
}

// Lanes come to one call by different ways: copies that the optimizer makes of it are one call.
#define REDUCE(V)                                                                                  \
  for (int o = 16; o; o /= 2)                                                                      \
  V += __shfl_xor_sync(0xffffffffu, V, o)

__global__ void oneCallManyWays(int *out, int n) {
  const int t = threadIdx.x;
  int v = 0;
  // Full and partial unrolling, with a rest; lanes do other numbers of rounds before.
  for (int i = t; i < n; i += 32)
    v += i;
  REDUCE(v);
#pragma unroll 4
  for (int i = 0; i < n % 7 + 2; ++i)
    v += __shfl_down_sync(0xffffffffu, v, 1, 8);
  // A tail that jump threading would double.
  int w = 0;
  if (t % 3 == 0)
    w = v * 2;
  w = t % 3 == 0 ? w + 1 : v;
  w += __shfl_sync(0xffffffffu, w, t % 3 == 0 ? 1 : 2);
  switch (t % 4) {
  case 0:
    w += 5;
    [[fallthrough]];
  case 1:
    w ^= 3;
    break;
  default:
    w -= 1;
  }
  REDUCE(w);
  out[t] = w + __reduce_add_sync(0xffffffffu, t & 1 ? 1 : 2);
}

TEST_F(Warps, CopiesOfOneCallAreOne) {
  const Device<int> Out(32);
  for (const int N : {0, 31, 33, 70})
    LAUNCH(oneCallManyWays, Barriers, 1, 32)(Out, N);
  EXPECT_EQ(texts(), "");
}

__global__ void notInMask(int *out) { out[threadIdx.x] = __shfl_sync(0xffffu, 1, 0); }

TEST_F(Warps, ACallerThatIsNotInItsMask) {
  const Device<int> Out(32);
  LAUNCH(notInMask, Barriers, 1, 32)(Out);
  EXPECT_EQ(only("shuffle-missing-lane").Rejects, 1);
}

} // namespace
