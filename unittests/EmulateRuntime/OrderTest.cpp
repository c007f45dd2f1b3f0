// What orders accesses to shared memory other than a barrier of the block: flags behind fences, and
// waits for asynchronous copies.

#include "Run.h"

#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>

namespace {

using Order = EmulateTest;

enum class Flag { Volatile, Atomic, VolatileOfAtomic, Plain, WithoutFence, AtomicWithoutFence };

/// The first warp hands numbers to the second one.
template <Flag Kind> __global__ void handsOver(int *out) {
  int (&data)[32] = emu::sharedVariable<int[32], struct TagData>("data");
  int &flag = emu::sharedVariable<int, struct TagFlag>("flag");
  auto *seen = const_cast<volatile int *>(&flag);
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    data[lane] = lane;
    __syncwarp();
    if (lane == 0) {
      if (Kind != Flag::WithoutFence && Kind != Flag::AtomicWithoutFence)
        __threadfence_block();
      if (Kind == Flag::Volatile || Kind == Flag::WithoutFence)
        emu::observed(*seen) = 1;
      else if (Kind == Flag::Plain)
        flag = 1;
      else
        atomicExch(&flag, 1);
    }
  } else {
    if (lane == 0) {
      if (Kind == Flag::Plain)
        while (__builtin_nontemporal_load(&flag) == 0)
          __nanosleep(1);
      else if (Kind == Flag::Atomic || Kind == Flag::AtomicWithoutFence)
        while (atomicAdd(&flag, 0) == 0)
          ;
      else
        while (emu::observed(*seen) == 0)
          ;
    }
    __syncwarp();
    out[lane] = data[31 - lane];
  }
}

TEST_F(Order, FlagBehindAFence) {
  const Device<int> Out(32);
  for (int I = 0; I < 2; ++I) {
    LAUNCH(handsOver<Flag::Volatile>, Anything, 4, 64)(Out);
    LAUNCH(handsOver<Flag::Atomic>, Anything, 4, 64)(Out);
    LAUNCH(handsOver<Flag::VolatileOfAtomic>, Anything, 4, 64)(Out);
  }
  EXPECT_EQ(Out.get()[0], 31);
  EXPECT_EQ(texts(), "");
}

TEST_F(Order, FlagThatOrdersNothing) {
  const Device<int> Out(32);
  const auto Races = [&] {
    EXPECT_NE(texts().find("shared-race"), std::string::npos) << texts();
    cupelEmulateReset();
  };
  LAUNCH(handsOver<Flag::Plain>, Anything, 1, 64)(Out);
  Races();
  LAUNCH(handsOver<Flag::WithoutFence>, Anything, 1, 64)(Out);
  Races();
  LAUNCH(handsOver<Flag::AtomicWithoutFence>, Anything, 1, 64)(Out);
  Races();
}

/// A ring of one element, between one thread and another, with flags for both directions.
template <bool ReadsFirst> __global__ void passes(int *out, int n) {
  int &slot = emu::sharedVariable<int, struct TagSlot>("slot");
  int &full = emu::sharedVariable<int, struct TagFull>("full");
  auto *seen = const_cast<volatile int *>(&full);
  if (threadIdx.x == 0)
    full = 0;
  __syncthreads();
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      while (emu::observed(*seen) != 0)
        ;
      slot = i;
      __threadfence_block();
      emu::observed(*seen) = 1;
    } else if (threadIdx.x == 32) {
      while (emu::observed(*seen) == 0)
        ;
      if (ReadsFirst)
        *out += slot;
      __threadfence_block();
      emu::observed(*seen) = 0;
      if (!ReadsFirst)
        *out += slot;
    }
  }
}

TEST_F(Order, FlagsInBothDirections) {
  const Device<int> Out(1);
  LAUNCH(passes<true>, Anything, 1, 64)(Out, 20);
  EXPECT_EQ(Out.get()[0], 190);
  EXPECT_EQ(texts(), "");
  LAUNCH(passes<false>, Anything, 1, 64)(Out, 20);
  EXPECT_NE(texts().find(" bytes, where thread ("), std::string::npos) << texts();
}

/// All threads count down; the last one sums what they have left.
template <bool Fences> __global__ void lastSums(int *out) {
  int (&parts)[64] = emu::sharedVariable<int[64], struct TagParts>("parts");
  int &left = emu::sharedVariable<int, struct TagLeft>("left");
  if (threadIdx.x == 0)
    left = 64;
  __syncthreads();
  parts[threadIdx.x] = threadIdx.x;
  if (Fences)
    __threadfence_block();
  if (atomicSub(&left, 1) == 1) {
    int sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += parts[i];
    *out = sum;
  }
}

TEST_F(Order, LastOneThatCounts) {
  const Device<int> Out(1);
  LAUNCH(lastSums<true>, Barriers, 2, 64)(Out);
  EXPECT_EQ(Out.get()[0], 63 * 32);
  EXPECT_EQ(texts(), "");
  LAUNCH(lastSums<false>, Barriers, 2, 64)(Out);
  only("shared-race");
}

/// Old reductions without __syncwarp, whose memory is volatile: no flag.
__global__ void warpSynchronous(int *out) {
  int (&s)[64] = emu::sharedVariable<int[64], struct TagSums>("s");
  volatile int *v = s;
  s[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x < 32)
    for (int step = 32; step; step /= 2)
      emu::observed(v[threadIdx.x]) += emu::observed(v[threadIdx.x + step]);
  if (threadIdx.x == 0)
    *out = s[0];
}

TEST_F(Order, VolatileAloneIsNoFlag) {
  const Device<int> Out(1);
  LAUNCH(warpSynchronous, Barriers, 1, 64)(Out);
  EXPECT_NE(texts().find("shared-race"), std::string::npos);
}

enum class Fault { None, NextCopyTooEarly, ReadBeforeWait, WaitBehindBarrier, OverwrittenByOther };

constexpr unsigned CopyLine = __LINE__ + 9;
/// Double buffers.
template <Fault Kind> __global__ void doubleBuffered(const float *in, float *out, int n) {
  float (&s)[2][64] = emu::sharedVariable<float[2][64], struct TagBuffers>("s");
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i <= n; ++i) {
    if (i < n) {
      float *to = &s[i % 2][t];
      __pipeline_memcpy_async(to, &in[i * 64 + t], sizeof(float));
      __pipeline_commit();
    }
    if (i == 0)
      continue;
    if (Kind == Fault::ReadBeforeWait && t == 0)
      sum += s[(i - 1) % 2][t];
    if (Kind == Fault::OverwrittenByOther && t == 0 && i == 1)
      s[i % 2][40] = 7;
    if (Kind != Fault::WaitBehindBarrier)
      __pipeline_wait_prior(i < n ? 1 : 0);
    __syncthreads();
    sum += s[(i - 1) % 2][63 - t];
    if (Kind == Fault::WaitBehindBarrier)
      __pipeline_wait_prior(i < n ? 1 : 0);
    if (Kind != Fault::NextCopyTooEarly)
      __syncthreads();
  }
  out[t] = sum;
}

TEST_F(Order, AsynchronousCopies) {
  const Device<float> In(std::vector<float>(256, 1.0f)), Out(64);
  LAUNCH(doubleBuffered<Fault::None>, Barriers, 2, 64)(In, Out, 4);
  EXPECT_EQ(Out.get()[0], 4.0f);
  EXPECT_EQ(texts(), "");
}

TEST_F(Order, CopyIntoABufferThatOthersStillRead) {
  const Device<float> In(256), Out(64);
  LAUNCH(doubleBuffered<Fault::NextCopyTooEarly>, Barriers, 1, 64)(In, Out, 4);
  bool Found = false;
  for (size_t I = 0; I < cupelEmulateErrorCount(); ++I)
    if (const CupelEmulationError &E = *cupelEmulateErrorAt(I);
        std::string(E.Text).starts_with("copies asynchronously at byte ")) {
      Found = true;
      EXPECT_EQ(E.Line, CopyLine);
    }
  EXPECT_TRUE(Found) << texts();
}

TEST_F(Order, CopiesThatAreNotWaitedFor) {
  const Device<float> In(256), Out(64);
  LAUNCH(doubleBuffered<Fault::ReadBeforeWait>, Barriers, 1, 64)(In, Out, 4);
  EXPECT_NE(std::string(only("shared-race").Text)
                .find("where thread (0,0,0) copies asynchronously (line " +
                      std::to_string(CopyLine) + ") and has not waited for it"),
            std::string::npos);
  cupelEmulateReset();
  LAUNCH(doubleBuffered<Fault::WaitBehindBarrier>, Barriers, 1, 64)(In, Out, 4);
  EXPECT_NE(texts().find(") and has not waited for"), std::string::npos);
  cupelEmulateReset();
  LAUNCH(doubleBuffered<Fault::OverwrittenByOther>, Barriers, 1, 64)(In, Out, 4);
  EXPECT_NE(texts().find("of shared variable 's' of 512 bytes, where thread (0,0,0) writes"),
            std::string::npos)
      << texts();
}

/// Two threads copy one element: the same one, or not.
__global__ void copiedTwice(const float *in, float *out, int step) {
  float (&s)[32] = emu::sharedVariable<float[32], struct TagTwice>("s");
  __pipeline_memcpy_async(&s[threadIdx.x / 2], &in[threadIdx.x / 2 + threadIdx.x % 2 * step], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x / 2];
}

TEST_F(Order, EqualCopiesAreNoError) {
  std::vector<float> Values(64);
  for (int I = 0; I < 64; ++I)
    Values[I] = static_cast<float>(I);
  const Device<float> In(Values), Out(64);
  LAUNCH(copiedTwice, Barriers, 1, 64)(In, Out, 0);
  EXPECT_EQ(Out.get()[63], 0.0f);
  EXPECT_EQ(texts(), "");
  LAUNCH(copiedTwice, Barriers, 1, 64)(In, Out, 1);
  only("shared-race");
}

} // namespace
