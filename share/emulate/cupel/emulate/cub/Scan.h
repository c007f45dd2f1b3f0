/// cub::BlockScan. Thread 0 adds up what all show; a callback gives what goes before the block.
#pragma once

#include "cupel/emulate/cub/Common.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
  static constexpr int Threads = X * Y * Z;

public:
  struct TempStorage {
    emulated::Room<T, Threads> sums;
    emulated::Room<T, 1> prefix;
  };
  CUPEL_DEVICE explicit BlockScan(TempStorage &s) : storage(s) {}

  template <class Op> CUPEL_DEVICE void InclusiveScan(T v, T &out, Op op) { out = upTo(v, op); }
  template <class Op> CUPEL_DEVICE void InclusiveScan(T v, T &out, Op op, T &total) {
    out = upTo(v, op);
    total = all();
  }
  template <class Op, class Callback>
  CUPEL_DEVICE void InclusiveScan(T v, T &out, Op op, Callback &prefix) {
    out = upTo(v, op);
    out = op(before(prefix), out);
  }
  template <class Op> CUPEL_DEVICE void ExclusiveScan(T v, T &out, T initial, Op op) {
    upTo(v, op);
    out = emulated::rank() ? op(initial, below()) : initial;
  }
  template <class Op> CUPEL_DEVICE void ExclusiveScan(T v, T &out, T initial, Op op, T &total) {
    ExclusiveScan(v, out, initial, op);
    total = all();
  }
  /// Without an initial value thread 0's result is undefined.
  template <class Op> CUPEL_DEVICE void ExclusiveScan(T v, T &out, Op op) {
    upTo(v, op);
    if (emulated::rank())
      out = below();
  }
  template <class Op> CUPEL_DEVICE void ExclusiveScan(T v, T &out, Op op, T &total) {
    ExclusiveScan(v, out, op);
    total = all();
  }
  template <class Op, class Callback>
  CUPEL_DEVICE void ExclusiveScan(T v, T &out, Op op, Callback &prefix) {
    upTo(v, op);
    const T first = before(prefix);
    out = emulated::rank() ? op(first, below()) : first;
  }

  // Several items a thread: a scan of the threads' totals, then each thread's own.
  template <int N, class Op, class... Rest>
  CUPEL_DEVICE void InclusiveScan(T (&v)[N], T (&out)[N], Op op, Rest &...rest) {
    T running = T();
    ExclusiveScan(total(v, op), running, op, rest...);
    constexpr bool Prefixed = (false || ... || !std::is_same_v<Rest, T>);
    for (int i = 0; i < N; ++i)
      out[i] = running = i == 0 && !emulated::rank() && !Prefixed ? T(v[i]) : op(running, v[i]);
  }
  template <int N, class Op, class... Rest>
  CUPEL_DEVICE void ExclusiveScan(T (&v)[N], T (&out)[N], T initial, Op op, Rest &...rest) {
    T running = T();
    ExclusiveScan(total(v, op), running, initial, op, rest...);
    spread(v, out, running, op);
  }
  template <int N, class Op, class Callback>
  CUPEL_DEVICE void ExclusiveScan(T (&v)[N], T (&out)[N], Op op, Callback &prefix) {
    T running = T();
    ExclusiveScan(total(v, op), running, op, prefix);
    spread(v, out, running, op);
  }

  CUPEL_DEVICE void InclusiveSum(T v, T &out) { InclusiveScan(v, out, Sum()); }
  template <class Rest> CUPEL_DEVICE void InclusiveSum(T v, T &out, Rest &rest) {
    InclusiveScan(v, out, Sum(), rest);
  }
  CUPEL_DEVICE void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(), Sum()); }
  CUPEL_DEVICE void ExclusiveSum(T v, T &out, T &total) {
    ExclusiveScan(v, out, T(), Sum(), total);
  }
  template <class Callback> CUPEL_DEVICE void ExclusiveSum(T v, T &out, Callback &prefix) {
    ExclusiveScan(v, out, Sum(), prefix);
  }
  template <int N, class... Rest>
  CUPEL_DEVICE void InclusiveSum(T (&v)[N], T (&out)[N], Rest &...rest) {
    InclusiveScan(v, out, Sum(), rest...);
  }
  template <int N> CUPEL_DEVICE void ExclusiveSum(T (&v)[N], T (&out)[N]) {
    ExclusiveScan(v, out, T(), Sum());
  }
  template <int N> CUPEL_DEVICE void ExclusiveSum(T (&v)[N], T (&out)[N], T &total) {
    ExclusiveScan(v, out, T(), Sum(), total);
  }
  template <int N, class Callback>
  CUPEL_DEVICE void ExclusiveSum(T (&v)[N], T (&out)[N], Callback &prefix) {
    ExclusiveScan(v, out, Sum(), prefix);
  }

private:
  template <class Op> CUPEL_DEVICE T upTo(T v, Op op) {
    storage.sums[emulated::rank()] = v;
    __syncthreads();
    if (emulated::rank() == 0)
      for (int i = 1; i < Threads; ++i)
        storage.sums[i] = op(storage.sums[i - 1], storage.sums[i]);
    __syncthreads();
    return storage.sums[emulated::rank()];
  }
  CUPEL_DEVICE T below() { return storage.sums[emulated::rank() - 1]; }
  CUPEL_DEVICE T all() { return storage.sums[Threads - 1]; }
  /// CUB calls it with the first warp, and takes what lane 0 gets.
  template <class Callback> CUPEL_DEVICE T before(Callback &prefix) {
    if (emulated::rank() < 32) {
      const T first = prefix(all());
      if (emulated::rank() == 0)
        storage.prefix[0] = first;
    }
    __syncthreads();
    return storage.prefix[0];
  }
  template <int N, class Op> CUPEL_DEVICE static T total(T (&v)[N], Op op) {
    T sum = v[0];
    for (int i = 1; i < N; ++i)
      sum = op(sum, v[i]);
    return sum;
  }
  template <int N, class Op>
  CUPEL_DEVICE static void spread(T (&v)[N], T (&out)[N], T running, Op op) {
    for (int i = 0; i < N; ++i) {
      const T item = v[i];
      out[i] = running;
      running = op(running, item);
    }
  }
  TempStorage &storage;
};

} // namespace cub
