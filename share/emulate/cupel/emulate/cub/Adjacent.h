/// Neighbours' items compared: cub::BlockDiscontinuity, cub::BlockAdjacentDifference.
#pragma once

#include "cupel/emulate/cub/Common.h"

namespace cub {

namespace emulated {
/// Items of the threads next to the own one; each thread shows its first and its last.
template <class T, int Threads> struct Neighbours {
  Room<T, Threads> first, last;

  template <int N> CUPEL_DEVICE void show(T (&items)[N]) {
    first[rank()] = items[0];
    last[rank()] = items[N - 1];
    __syncthreads();
  }
  /// The item before or behind item i; `other` at the ends of the block.
  template <int N> CUPEL_DEVICE T before(T (&items)[N], int i, const T &other) {
    return i > 0 ? items[i - 1] : rank() > 0 ? last[rank() - 1] : other;
  }
  template <int N> CUPEL_DEVICE T behind(T (&items)[N], int i, const T &other) {
    return i < N - 1 ? items[i + 1] : rank() < Threads - 1 ? first[rank() + 1] : other;
  }
};
} // namespace emulated

template <class T, int X, int Y = 1, int Z = 1> class BlockDiscontinuity {
  static constexpr int Threads = X * Y * Z;

public:
  using TempStorage = emulated::Neighbours<T, Threads>;
  CUPEL_DEVICE explicit BlockDiscontinuity(TempStorage &s) : storage(s) {}

  /// Without a neighbour the first item of the block is a head, the last a tail.
  template <int N, class F, class Op>
  CUPEL_DEVICE void FlagHeads(F (&heads)[N], T (&items)[N], Op differ) {
    storage.show(items);
    for (int i = 0; i < N; ++i)
      heads[i] = isFirst(i) || differ(storage.before(items, i, items[0]), items[i]);
  }
  template <int N, class F, class Op>
  CUPEL_DEVICE void FlagHeads(F (&heads)[N], T (&items)[N], Op differ, T before) {
    storage.show(items);
    for (int i = 0; i < N; ++i)
      heads[i] = differ(storage.before(items, i, before), items[i]);
  }
  template <int N, class F, class Op>
  CUPEL_DEVICE void FlagTails(F (&tails)[N], T (&items)[N], Op differ) {
    storage.show(items);
    for (int i = 0; i < N; ++i)
      tails[i] = isLast(i, N) || differ(items[i], storage.behind(items, i, items[0]));
  }
  template <int N, class F, class Op>
  CUPEL_DEVICE void FlagTails(F (&tails)[N], T (&items)[N], Op differ, T behind) {
    storage.show(items);
    for (int i = 0; i < N; ++i)
      tails[i] = differ(items[i], storage.behind(items, i, behind));
  }
  template <int N, class F, class Op>
  CUPEL_DEVICE void FlagHeadsAndTails(F (&heads)[N], F (&tails)[N], T (&items)[N], Op differ) {
    FlagHeads(heads, items, differ);
    for (int i = 0; i < N; ++i)
      tails[i] = isLast(i, N) || differ(items[i], storage.behind(items, i, items[0]));
  }

private:
  CUPEL_DEVICE static bool isFirst(int i) { return i == 0 && emulated::rank() == 0; }
  CUPEL_DEVICE static bool isLast(int i, int n) {
    return i == n - 1 && emulated::rank() == Threads - 1;
  }
  TempStorage &storage;
};

template <class T, int X, int Y = 1, int Z = 1> class BlockAdjacentDifference {
  static constexpr int Threads = X * Y * Z;

public:
  using TempStorage = emulated::Neighbours<T, Threads>;
  CUPEL_DEVICE explicit BlockAdjacentDifference(TempStorage &s) : storage(s) {}

  /// Without a neighbour the item itself is the difference.
  template <int N, class U, class Op>
  CUPEL_DEVICE void SubtractLeft(T (&in)[N], U (&out)[N], Op op) {
    SubtractLeftPartialTile(in, out, op, Threads * N);
  }
  template <int N, class U, class Op>
  CUPEL_DEVICE void SubtractLeft(T (&in)[N], U (&out)[N], Op op, T before) {
    storage.show(in);
    for (int i = N - 1; i >= 0; --i)
      out[i] = op(in[i], storage.before(in, i, before));
  }
  template <int N, class U, class Op>
  CUPEL_DEVICE void SubtractLeftPartialTile(T (&in)[N], U (&out)[N], Op op, int valid) {
    storage.show(in);
    for (int i = N - 1; i >= 0; --i) {
      const int at = emulated::rank() * N + i;
      out[i] = at > 0 && at < valid ? static_cast<U>(op(in[i], storage.before(in, i, in[0])))
                                    : static_cast<U>(in[i]);
    }
  }
  template <int N, class U, class Op>
  CUPEL_DEVICE void SubtractRight(T (&in)[N], U (&out)[N], Op op) {
    SubtractRightPartialTile(in, out, op, Threads * N);
  }
  template <int N, class U, class Op>
  CUPEL_DEVICE void SubtractRight(T (&in)[N], U (&out)[N], Op op, T behind) {
    storage.show(in);
    for (int i = 0; i < N; ++i)
      out[i] = op(in[i], storage.behind(in, i, behind));
  }
  template <int N, class U, class Op>
  CUPEL_DEVICE void SubtractRightPartialTile(T (&in)[N], U (&out)[N], Op op, int valid) {
    storage.show(in);
    for (int i = 0; i < N; ++i)
      out[i] = emulated::rank() * N + i < valid - 1
                   ? static_cast<U>(op(in[i], storage.behind(in, i, in[0])))
                   : static_cast<U>(in[i]);
  }

private:
  TempStorage &storage;
};

} // namespace cub
