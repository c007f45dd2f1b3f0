// CUB's collectives of blocks and warps, against plain loops.

#include "Run.h"

#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>

namespace {

using Cub = EmulateTest;

template <int Threads> __global__ void blocks(const float *in, float *out) {
  using Reduce = cub::BlockReduce<float, Threads>;
  using Scan = cub::BlockScan<float, Threads>;
  auto &reduce =
      emu::sharedVariable<typename Reduce::TempStorage, struct TagReduceStorage>("reduce");
  auto &scan = emu::sharedVariable<typename Scan::TempStorage, struct TagScanStorage>("scan");
  const float own = in[threadIdx.x];
  const float sum = Reduce(reduce).Sum(own);
  __syncthreads();
  const float most = Reduce(reduce).Reduce(own, cub::Max());
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = most;
  }
  float before = 0, total = 0;
  Scan(scan).ExclusiveSum(own, before, total);
  out[2 + threadIdx.x] = before;
  if (threadIdx.x == Threads - 1)
    out[2 + Threads] = total;
}

TEST_F(Cub, BlockReduceAndScan) {
  std::vector<float> Values(96);
  std::iota(Values.begin(), Values.end(), 1.0f);
  const Device<float> In(Values), Out(99);
  LAUNCH(blocks<96>, Barriers, 1, 96)(In, Out);
  const std::vector<float> Got = Out.get();
  EXPECT_EQ(Got[0], 96 * 97 / 2);
  EXPECT_EQ(Got[1], 96.0f);
  for (int T = 0; T < 96; ++T)
    EXPECT_EQ(Got[2 + T], T * (T + 1) / 2);
  EXPECT_EQ(Got[98], 96 * 97 / 2);
  EXPECT_EQ(texts(), "");
}

__global__ void sorted(const int *in, int *out) {
  using Sort = cub::BlockRadixSort<int, 32, 2>;
  auto &storage = emu::sharedVariable<Sort::TempStorage, struct TagSort>("storage");
  int keys[2] = {in[threadIdx.x * 2], in[threadIdx.x * 2 + 1]};
  Sort(storage).Sort(keys);
  out[threadIdx.x * 2] = keys[0];
  out[threadIdx.x * 2 + 1] = keys[1];
}

TEST_F(Cub, BlockRadixSort) {
  std::vector<int> Values(64);
  for (int I = 0; I < 64; ++I)
    Values[I] = I * 37 % 64 - 20;
  const Device<int> In(Values), Out(64);
  LAUNCH(sorted, Barriers, 1, 32)(In, Out);
  for (int I = 0; I < 64; ++I)
    EXPECT_EQ(Out.get()[I], I - 20);
  EXPECT_EQ(texts(), "");
}

// Keys whose order is that of some of their bits only; -0 with 0; values go along.
__global__ void sortedByBits(unsigned *keys, float *floats, int *places) {
  using Sort = cub::BlockRadixSort<unsigned, 32, 2>;
  using SortPairs = cub::BlockRadixSort<float, 32, 2, int>;
  auto &storage = emu::sharedVariable<Sort::TempStorage, struct TagBits>("bits");
  auto &pairs = emu::sharedVariable<SortPairs::TempStorage, struct TagPairs>("pairs");
  const int t = threadIdx.x;
  unsigned own[2] = {keys[2 * t], keys[2 * t + 1]};
  Sort(storage).Sort(own, 4, 8);
  keys[2 * t] = own[0];
  keys[2 * t + 1] = own[1];
  float f[2] = {floats[2 * t], floats[2 * t + 1]};
  int p[2] = {2 * t, 2 * t + 1};
  SortPairs(pairs).SortDescendingBlockedToStriped(f, p);
  for (int i = 0; i < 2; ++i) {
    floats[i * 32 + t] = f[i];
    places[i * 32 + t] = p[i];
  }
}

TEST_F(Cub, RadixSortOfSomeBitsAndOfFloats) {
  std::vector<unsigned> Keys(64);
  std::vector<float> Floats(64);
  for (int I = 0; I < 64; ++I) {
    Keys[I] = I * 29 % 64 << 2 | (I & 3);
    Floats[I] = I % 4 == 0 ? 0.0f : I % 4 == 1 ? -0.0f : (I * 37 % 64 - 32) * 0.5f;
  }
  const Device<unsigned> DKeys(Keys);
  const Device<float> DFloats(Floats);
  const Device<int> Places(64);
  LAUNCH(sortedByBits, Barriers, 1, 32)(DKeys, DFloats, Places);
  std::stable_sort(Keys.begin(), Keys.end(),
                   [](unsigned A, unsigned B) { return (A >> 4 & 15) < (B >> 4 & 15); });
  EXPECT_EQ(DKeys.get(), Keys);
  std::vector<int> Order(64);
  std::iota(Order.begin(), Order.end(), 0);
  std::stable_sort(Order.begin(), Order.end(), [&](int A, int B) { return Floats[A] > Floats[B]; });
  EXPECT_EQ(Places.get(), Order);
  EXPECT_EQ(texts(), "");
}

struct Running {
  int sum;
  CUPEL_DEVICE int operator()(int total) {
    const int old = sum;
    sum += total;
    return old;
  }
};

// A scan longer than the block, by a callback that carries the sum on.
__global__ void longScan(const int *in, int *inclusive, int *exclusive, int n) {
  using Scan = cub::BlockScan<int, 32>;
  auto &storage = emu::sharedVariable<Scan::TempStorage, struct TagLong>("storage");
  Running first{0}, second{100};
  for (int at = 0; at < n; at += 64) {
    const int t = at + 2 * static_cast<int>(threadIdx.x);
    int v[2] = {in[t], in[t + 1]}, out[2];
    Scan(storage).InclusiveSum(v, out, first);
    inclusive[t] = out[0];
    inclusive[t + 1] = out[1];
    __syncthreads();
    Scan(storage).ExclusiveSum(v, out, second);
    exclusive[t] = out[0];
    exclusive[t + 1] = out[1];
    __syncthreads();
  }
}

TEST_F(Cub, ScansWithACallback) {
  std::vector<int> Values(256);
  for (int I = 0; I < 256; ++I)
    Values[I] = I * 31 % 17;
  const Device<int> In(Values), Inclusive(256), Exclusive(256);
  LAUNCH(longScan, Barriers, 1, 32)(In, Inclusive, Exclusive, 256);
  int Sum = 0;
  for (int I = 0; I < 256; ++I) {
    ASSERT_EQ(Exclusive.get()[I], 100 + Sum);
    Sum += Values[I];
    ASSERT_EQ(Inclusive.get()[I], Sum);
  }
  EXPECT_EQ(texts(), "");
}

__global__ void scanned(const float *in, float *most, float *before) {
  using Scan = cub::BlockScan<float, 64>;
  auto &storage = emu::sharedVariable<Scan::TempStorage, struct TagScanned>("storage");
  float v[3], out[3], total = 0;
  for (int i = 0; i < 3; ++i)
    v[i] = in[threadIdx.x * 3 + i];
  Scan(storage).InclusiveScan(v, out, cub::Max(), total);
  for (int i = 0; i < 3; ++i)
    most[threadIdx.x * 3 + i] = out[i] + total;
  __syncthreads();
  Scan(storage).ExclusiveScan(v, out, -7.0f, cub::Max());
  for (int i = 0; i < 3; ++i)
    before[threadIdx.x * 3 + i] = out[i];
}

TEST_F(Cub, ScansOfSeveralItemsWithAnOperator) {
  std::vector<float> Values(192);
  for (int I = 0; I < 192; ++I)
    Values[I] = static_cast<float>(I * 67 % 193) - 200.0f; // All below 0, the identity of a sum.
  const Device<float> In(Values), Most(192), Before(192);
  LAUNCH(scanned, Barriers, 1, 64)(In, Most, Before);
  const float Total = *std::max_element(Values.begin(), Values.end());
  float Running = -1e9f;
  for (int I = 0; I < 192; ++I) {
    ASSERT_EQ(Before.get()[I], std::max(Running, -7.0f));
    Running = std::max(Running, Values[I]);
    ASSERT_EQ(Most.get()[I], Running + Total);
  }
  EXPECT_EQ(texts(), "");
}

__global__ void exchanged(int *out) {
  using Exchange = cub::BlockExchange<int, 64, 4>;
  auto &storage = emu::sharedVariable<Exchange::TempStorage, struct TagExchange>("storage");
  int v[4];
  const auto show = [&](int at) {
    for (int i = 0; i < 4; ++i)
      out[at * 256 + threadIdx.x * 4 + i] = v[i];
    __syncthreads();
    for (int i = 0; i < 4; ++i)
      v[i] = threadIdx.x * 4 + i;
  };
  for (int i = 0; i < 4; ++i)
    v[i] = threadIdx.x * 4 + i;
  Exchange(storage).BlockedToStriped(v);
  show(0);
  Exchange(storage).StripedToBlocked(v);
  show(1);
  Exchange(storage).BlockedToWarpStriped(v);
  show(2);
  Exchange(storage).WarpStripedToBlocked(v);
  show(3);
  int ranks[4];
  for (int i = 0; i < 4; ++i)
    ranks[i] = 255 - v[i];
  Exchange(storage).ScatterToBlocked(v, ranks);
  show(4);
}

TEST_F(Cub, Exchange) {
  const Device<int> Out(5 * 256);
  LAUNCH(exchanged, Barriers, 1, 64)(Out);
  const std::vector<int> Got = Out.get();
  for (int T = 0; T < 64; ++T)
    for (int I = 0; I < 4; ++I) {
      const int At = T * 4 + I, W = T / 32;
      EXPECT_EQ(Got[At], I * 64 + T);
      EXPECT_EQ(Got[256 + At], (At % 64) * 4 + At / 64);
      EXPECT_EQ(Got[512 + At], W * 128 + I * 32 + T % 32);
      EXPECT_EQ(Got[768 + At], W * 128 + (At % 128 % 32) * 4 + At % 128 / 32);
      EXPECT_EQ(Got[1024 + At], 255 - At);
    }
  EXPECT_EQ(texts(), "");
}

__global__ void neighbours(const int *in, int *heads, int *tails, int *differences, int *shifted) {
  using Discontinuity = cub::BlockDiscontinuity<int, 32>;
  using Difference = cub::BlockAdjacentDifference<int, 32>;
  using Shuffle = cub::BlockShuffle<int, 32>;
  auto &a = emu::sharedVariable<Discontinuity::TempStorage, struct TagHeads>("a");
  auto &b = emu::sharedVariable<Difference::TempStorage, struct TagDifference>("b");
  auto &c = emu::sharedVariable<Shuffle::TempStorage, struct TagShuffle>("c");
  const int t = 2 * threadIdx.x;
  int v[2] = {in[t], in[t + 1]}, h[2], l[2], d[2], s[2] = {-1, -1};
  Discontinuity(a).FlagHeadsAndTails(h, l, v, cub::Inequality());
  Difference(b).SubtractLeft(v, d, cub::Difference());
  Shuffle(c).Up(v, s);
  for (int i = 0; i < 2; ++i) {
    heads[t + i] = h[i];
    tails[t + i] = l[i];
    differences[t + i] = d[i];
    shifted[t + i] = s[i];
  }
}

TEST_F(Cub, Neighbours) {
  std::vector<int> Values(64);
  for (int I = 0; I < 64; ++I)
    Values[I] = I * I / 37;
  const Device<int> In(Values), Heads(64), Tails(64), Differences(64), Shifted(64);
  LAUNCH(neighbours, Barriers, 1, 32)(In, Heads, Tails, Differences, Shifted);
  for (int I = 0; I < 64; ++I) {
    EXPECT_EQ(Heads.get()[I], I == 0 || Values[I] != Values[I - 1]);
    EXPECT_EQ(Tails.get()[I], I == 63 || Values[I] != Values[I + 1]);
    EXPECT_EQ(Differences.get()[I], I ? Values[I] - Values[I - 1] : Values[0]);
    EXPECT_EQ(Shifted.get()[I], I ? Values[I - 1] : -1);
  }
  EXPECT_EQ(texts(), "");
}

__global__ void counts(const unsigned char *in, unsigned *bins) {
  using Histogram = cub::BlockHistogram<unsigned char, 64, 2, 16>;
  auto &storage = emu::sharedVariable<Histogram::TempStorage, struct TagHistogram>("storage");
  unsigned (&h)[16] = emu::sharedVariable<unsigned[16], struct TagBins>("h");
  unsigned char v[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  Histogram(storage).Histogram(v, h);
  __syncthreads();
  if (threadIdx.x < 16)
    bins[threadIdx.x] = h[threadIdx.x];
}

TEST_F(Cub, Histogram) {
  std::vector<unsigned char> Values(128);
  std::vector<unsigned> Wanted(16);
  for (int I = 0; I < 128; ++I)
    ++Wanted[Values[I] = I * I % 13];
  const Device<unsigned char> In(Values);
  const Device<unsigned> Bins(16);
  LAUNCH(counts, Barriers, 1, 64)(In, Bins);
  EXPECT_EQ(Bins.get(), Wanted);
  EXPECT_EQ(texts(), "");
}

// Segments that begin at multiples of 3 in each half of the warp.
__global__ void segments(int *heads, int *tails, int *total, int *partial) {
  using Reduce = cub::WarpReduce<int, 16>;
  using Scan = cub::WarpScan<int, 16>;
  auto &storage = emu::sharedVariable<Reduce::TempStorage, struct TagSegments>("storage");
  auto &scan = emu::sharedVariable<Scan::TempStorage, struct TagWarpScan>("scan");
  const int t = threadIdx.x, own = t % 16;
  heads[t] = Reduce(storage).HeadSegmentedSum(t, own % 3 == 0);
  tails[t] = Reduce(storage).TailSegmentedSum(t, own % 3 == 2);
  partial[t] = Reduce(storage).Sum(t, 5);
  int exclusive = 0;
  Scan(scan).ExclusiveSum(t, exclusive, total[t]);
  total[t] += 1000 * exclusive;
}

TEST_F(Cub, WarpsInSegments) {
  const Device<int> Heads(32), Tails(32), Total(32), Partial(32);
  LAUNCH(segments, Barriers, 1, 32)(Heads, Tails, Total, Partial);
  for (int T = 0; T < 32; ++T) {
    int Segment = 0, Before = 0, Half = 0;
    for (int I = T / 16 * 16; I < T / 16 * 16 + 16; ++I) {
      Segment += I >= T && I % 16 / 3 == T % 16 / 3 ? I : 0;
      Before += I < T ? I : 0;
      Half += I;
    }
    EXPECT_EQ(Heads.get()[T], Segment);
    EXPECT_EQ(Tails.get()[T], Segment);
    EXPECT_EQ(Total.get()[T], Half + 1000 * Before);
    if (T % 16 == 0) {
      EXPECT_EQ(Partial.get()[T], 5 * T + 10);
    }
  }
  EXPECT_EQ(texts(), "");
}

// Each half of the warp sorts for itself, and deals its items out in rounds.
__global__ void sortedWarps(const int *in, int *keys, int *values, int *dealt) {
  using Sort = cub::WarpMergeSort<int, 2, 16, int>;
  using Exchange = cub::WarpExchange<int, 2, 16>;
  auto &storage = emu::sharedVariable<Sort::TempStorage[2], struct TagWarpSort>("storage");
  auto &exchange = emu::sharedVariable<Exchange::TempStorage[2], struct TagDealt>("exchange");
  const int t = threadIdx.x;
  int k[2] = {in[2 * t], in[2 * t + 1]}, v[2] = {2 * t, 2 * t + 1}, d[2];
  Sort(storage[t / 16]).Sort(k, v, [](int a, int b) { return a < b; });
  Exchange(exchange[t / 16]).BlockedToStriped(k, d);
  for (int i = 0; i < 2; ++i) {
    keys[2 * t + i] = k[i];
    values[2 * t + i] = v[i];
    dealt[2 * t + i] = d[i];
  }
}

TEST_F(Cub, WarpMergeSortAndExchange) {
  std::vector<int> Values(64);
  for (int I = 0; I < 64; ++I)
    Values[I] = I * 37 % 50;
  const Device<int> In(Values), Keys(64), Places(64), Dealt(64);
  LAUNCH(sortedWarps, Barriers, 1, 32)(In, Keys, Places, Dealt);
  std::vector<int> Wanted = Values;
  std::sort(Wanted.begin(), Wanted.begin() + 32);
  std::sort(Wanted.begin() + 32, Wanted.end());
  EXPECT_EQ(Keys.get(), Wanted);
  for (int I = 0; I < 64; ++I) {
    EXPECT_EQ(Values[Places.get()[I]], Wanted[I]);
    EXPECT_EQ(Dealt.get()[I], Wanted[I / 32 * 32 + I % 2 * 16 + I % 32 / 2]);
  }
  EXPECT_EQ(texts(), "");
}

// Runs of 0, 1, 2, 3, 0, 1, ... items.
__global__ void decoded(int *items, int *places, int *total) {
  using Decode = cub::BlockRunLengthDecode<int, 32, 2, 3>;
  auto &storage = emu::sharedVariable<Decode::TempStorage, struct TagDecoded>("storage");
  const int t = threadIdx.x;
  int values[2] = {2 * t, 2 * t + 1}, lengths[2] = {2 * t % 4, (2 * t + 1) % 4}, got[3];
  unsigned in[3];
  int sum;
  Decode decode(storage, values, lengths, sum);
  total[t] = sum;
  decode.RunLengthDecode(got, in);
  for (int i = 0; i < 3; ++i) {
    items[3 * t + i] = got[i];
    places[3 * t + i] = static_cast<int>(in[i]);
  }
}

TEST_F(Cub, RunLengthDecode) {
  const Device<int> Items(96), Places(96), Total(32);
  LAUNCH(decoded, Barriers, 1, 32)(Items, Places, Total);
  std::vector<int> Wanted, In;
  for (int Run = 0; Run < 64; ++Run)
    for (int I = 0; I < Run % 4; ++I) {
      Wanted.push_back(Run);
      In.push_back(I);
    }
  EXPECT_EQ(Total.get()[0], 96);
  EXPECT_EQ(Items.get(), Wanted);
  EXPECT_EQ(Places.get(), In);
  EXPECT_EQ(texts(), "");
}

template <cub::BlockLoadAlgorithm HowLoad, cub::BlockStoreAlgorithm HowStore, bool Syncs>
__global__ void moves(const float *in, float *out, int n) {
  using Load = cub::BlockLoad<float, 64, 3, HowLoad>;
  using Scan = cub::BlockScan<float, 64>;
  using Store = cub::BlockStore<float, 64, 3, HowStore>;
  union Storage {
    typename Load::TempStorage load;
    typename Scan::TempStorage scan;
    typename Store::TempStorage store;
  };
  auto &temp = emu::sharedVariable<Storage, struct TagMoves>("temp");
  float v[3], sums[3];
  Load(temp.load).Load(in, v, n, 0.0f);
  __syncthreads();
  Scan(temp.scan).InclusiveSum(v, sums);
  if (Syncs)
    __syncthreads();
  Store(temp.store).Store(out, sums, n);
}

TEST_F(Cub, LoadsAndStoresOfAllKinds) {
  const Device<float> In(std::vector<float>(150, 1.0f)), Out(150);
  const auto ExpectSums = [&] {
    for (int I = 0; I < 150; ++I)
      EXPECT_EQ(Out.get()[I], I + 1);
    EXPECT_EQ(texts(), "");
  };
  LAUNCH((moves<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT, true>), Barriers, 1, 64)
  (In, Out, 150);
  ExpectSums();
  LAUNCH((moves<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE, true>), Barriers, 1, 64)
  (In, Out, 150);
  ExpectSums();
  LAUNCH((moves<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE, true>), Barriers,
         1, 64)
  (In, Out, 150);
  ExpectSums();
  // What touches no storage may follow at once.
  LAUNCH((moves<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE, false>), Barriers, 1, 64)
  (In, Out, 150);
  ExpectSums();
}

TEST_F(Cub, StorageThatIsUsedAgainWithoutABarrier) {
  const Device<float> In(std::vector<float>(192, 1.0f)), Out(192);
  LAUNCH((moves<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE, false>), Barriers, 1, 64)
  (In, Out, 192);
  EXPECT_NE(texts().find("shared-race"), std::string::npos);
  cupelEmulateReset();
  LAUNCH((moves<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_WARP_TRANSPOSE, false>), Barriers, 1, 64)
  (In, Out, 192);
  EXPECT_NE(texts().find("shared-race"), std::string::npos);
}

template <bool Syncs> __global__ void reducesTwice(const float *in, float *out) {
  using Reduce = cub::BlockReduce<float, 64>;
  auto &temp = emu::sharedVariable<Reduce::TempStorage, struct TagTwice>("temp");
  const float sum = Reduce(temp).Sum(in[threadIdx.x]);
  if (Syncs)
    __syncthreads();
  const float most = Reduce(temp).Reduce(in[threadIdx.x], cub::Max());
  if (threadIdx.x == 0)
    *out = sum + most;
}

TEST_F(Cub, ReductionsThatShareTheirStorage) {
  const Device<float> In(std::vector<float>(64, 1.0f)), Out(1);
  LAUNCH(reducesTwice<true>, Barriers, 1, 64)(In, Out);
  EXPECT_EQ(Out.get()[0], 65.0f);
  EXPECT_EQ(texts(), "");
  LAUNCH(reducesTwice<false>, Barriers, 1, 64)(In, Out);
  EXPECT_NE(texts().find("shared-race"), std::string::npos);
}

} // namespace
