/// cub::BlockReduce, cub::BlockHistogram, cub::ThreadReduce.
#pragma once

#include "cupel/emulate/cub/Common.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

template <class T, int N, class Op> CUPEL_DEVICE T ThreadReduce(T (&v)[N], Op op) {
  T own = v[0];
  for (int i = 1; i < N; ++i)
    own = op(own, v[i]);
  return own;
}

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1>
class BlockReduce {
  static constexpr int Threads = X * Y * Z;

public:
  using TempStorage = emulated::Room<T, Threads>;
  CUPEL_DEVICE explicit BlockReduce(TempStorage &s) : storage(s) {}

  /// The result is thread 0's alone, as CUB says.
  template <class Op> CUPEL_DEVICE T Reduce(T v, Op op, int valid) {
    const int own = emulated::rank();
    storage[own] = v;
    __syncthreads();
    if (own == 0)
      for (int i = 1; i < valid && i < Threads; ++i)
        v = op(v, storage[i]);
    return v;
  }
  template <class Op> CUPEL_DEVICE T Reduce(T v, Op op) { return Reduce(v, op, Threads); }
  template <int N, class Op> CUPEL_DEVICE T Reduce(T (&v)[N], Op op) {
    return Reduce(ThreadReduce(v, op), op);
  }
  CUPEL_DEVICE T Sum(T v) { return Reduce(v, cub::Sum()); }
  CUPEL_DEVICE T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  template <int N> CUPEL_DEVICE T Sum(T (&v)[N]) { return Reduce(v, cub::Sum()); }

private:
  TempStorage &storage;
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int X, int N, int Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1,
          int Z = 1>
class BlockHistogram {
public:
  using TempStorage = emulated::NoRoom;
  CUPEL_DEVICE explicit BlockHistogram(TempStorage &) {}

  template <class C> CUPEL_DEVICE void InitHistogram(C (&histogram)[Bins]) {
    for (int i = emulated::rank(); i < Bins; i += X * Y * Z)
      histogram[i] = 0;
  }
  template <class C> CUPEL_DEVICE void Composite(T (&items)[N], C (&histogram)[Bins]) {
    for (const T &item : items)
      atomicAdd(&histogram[item], static_cast<C>(1));
  }
  template <class C> CUPEL_DEVICE void Histogram(T (&items)[N], C (&histogram)[Bins]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
};

} // namespace cub
