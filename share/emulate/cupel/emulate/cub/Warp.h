/// cub::WarpReduce and cub::WarpScan, of logical warps of the warp that calls.
#pragma once

#include "cupel/emulate/cub/Common.h"

namespace cub {

template <class T, int Width = 32> class WarpReduce {
public:
  using TempStorage = emulated::NoRoom;
  CUPEL_DEVICE explicit WarpReduce(TempStorage &) {}

  /// The result is lane 0's alone.
  template <class Op> CUPEL_DEVICE T Reduce(T v, Op op, int valid) {
    return segmented(v, op, emulated::lane() % Width < valid ? valid : Width);
  }
  template <class Op> CUPEL_DEVICE T Reduce(T v, Op op) { return Reduce(v, op, Width); }
  template <int N, class Op> CUPEL_DEVICE T Reduce(T (&v)[N], Op op) {
    T own = v[0];
    for (int i = 1; i < N; ++i)
      own = op(own, v[i]);
    return Reduce(own, op);
  }
  CUPEL_DEVICE T Sum(T v) { return Reduce(v, cub::Sum()); }
  CUPEL_DEVICE T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  CUPEL_DEVICE T Max(T v) { return Reduce(v, cub::Max()); }
  CUPEL_DEVICE T Max(T v, int valid) { return Reduce(v, cub::Max(), valid); }
  CUPEL_DEVICE T Min(T v) { return Reduce(v, cub::Min()); }
  CUPEL_DEVICE T Min(T v, int valid) { return Reduce(v, cub::Min(), valid); }

  /// A segment begins at a head, or ends at a tail; the result is its first lane's.
  template <class F, class Op> CUPEL_DEVICE T HeadSegmentedReduce(T v, F head, Op op) {
    const unsigned above = flags(head) & ~1u & ~((2u << emulated::lane() % Width) - 1);
    return segmented(v, op, above ? __builtin_ctz(above) : Width);
  }
  template <class F, class Op> CUPEL_DEVICE T TailSegmentedReduce(T v, F tail, Op op) {
    const unsigned from = flags(tail) & ~((1u << emulated::lane() % Width) - 1);
    return segmented(v, op, from ? __builtin_ctz(from) + 1 : Width);
  }
  template <class F> CUPEL_DEVICE T HeadSegmentedSum(T v, F head) {
    return HeadSegmentedReduce(v, head, cub::Sum());
  }
  template <class F> CUPEL_DEVICE T TailSegmentedSum(T v, F tail) {
    return TailSegmentedReduce(v, tail, cub::Sum());
  }

private:
  template <class F> CUPEL_DEVICE static unsigned flags(F flag) {
    return __ballot_sync(emulated::logicalWarp<Width>(), flag != F()) >>
           emulated::lane() / Width * Width;
  }
  /// Of the lanes from the own one to that before `end`.
  template <class Op> CUPEL_DEVICE static T segmented(T v, Op op, int end) {
    const int own = emulated::lane() % Width;
    for (int step = 1; step < Width; step *= 2) {
      const T other = ShuffleIndex<Width>(v, own + step < Width ? own + step : own,
                                          emulated::logicalWarp<Width>());
      if (own + step < end)
        v = op(v, other);
    }
    return v;
  }
};

template <class T, int Width = 32> class WarpScan {
public:
  using TempStorage = emulated::NoRoom;
  CUPEL_DEVICE explicit WarpScan(TempStorage &) {}

  template <class Op> CUPEL_DEVICE void InclusiveScan(T v, T &out, Op op) {
    const int own = emulated::lane() % Width;
    for (int step = 1; step < Width; step *= 2) {
      const T below = from(v, own >= step ? own - step : own);
      if (own >= step)
        v = op(below, v);
    }
    out = v;
  }
  template <class Op> CUPEL_DEVICE void InclusiveScan(T v, T &out, Op op, T &total) {
    InclusiveScan(v, out, op);
    total = from(out, Width - 1);
  }
  template <class Op> CUPEL_DEVICE void ExclusiveScan(T v, T &out, T initial, Op op) {
    T sum;
    Scan(v, sum, out, initial, op);
  }
  template <class Op> CUPEL_DEVICE void ExclusiveScan(T v, T &out, T initial, Op op, T &total) {
    InclusiveScan(v, v, op);
    total = from(v, Width - 1);
    const T below = shifted(v);
    out = emulated::lane() % Width ? op(initial, below) : initial;
  }
  /// Without an initial value lane 0's result is undefined.
  template <class Op> CUPEL_DEVICE void ExclusiveScan(T v, T &out, Op op) {
    InclusiveScan(v, v, op);
    out = shifted(v);
  }
  template <class Op> CUPEL_DEVICE void Scan(T v, T &inclusive, T &exclusive, Op op) {
    InclusiveScan(v, inclusive, op);
    exclusive = shifted(inclusive);
  }
  template <class Op> CUPEL_DEVICE void Scan(T v, T &inclusive, T &exclusive, T initial, Op op) {
    T sum;
    InclusiveScan(v, sum, op);
    const T below = shifted(sum);
    inclusive = op(initial, sum);
    exclusive = emulated::lane() % Width ? op(initial, below) : initial;
  }
  CUPEL_DEVICE void InclusiveSum(T v, T &out) { InclusiveScan(v, out, cub::Sum()); }
  CUPEL_DEVICE void InclusiveSum(T v, T &out, T &total) {
    InclusiveScan(v, out, cub::Sum(), total);
  }
  CUPEL_DEVICE void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(), cub::Sum()); }
  CUPEL_DEVICE void ExclusiveSum(T v, T &out, T &total) {
    ExclusiveScan(v, out, T(), cub::Sum(), total);
  }
  CUPEL_DEVICE void Sum(T v, T &inclusive, T &exclusive) {
    Scan(v, inclusive, exclusive, T(), cub::Sum());
  }
  CUPEL_DEVICE T Broadcast(T v, unsigned lane) { return from(v, static_cast<int>(lane)); }

private:
  CUPEL_DEVICE static T from(const T &v, int lane) {
    return ShuffleIndex<Width>(v, lane, emulated::logicalWarp<Width>());
  }
  CUPEL_DEVICE static T shifted(const T &v) {
    const int own = emulated::lane() % Width;
    return from(v, own ? own - 1 : own);
  }
};

} // namespace cub
