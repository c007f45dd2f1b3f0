/// What the parts of CUB share: operators, room in shared memory, the rank of a thread.
#pragma once

#include "cupel/emulate/Thread.h"
#include "cupel/emulate/Warp.h"

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace cub {

struct Sum {
  template <class T> CUPEL_DEVICE T operator()(const T &a, const T &b) const { return a + b; }
};
struct Max {
  template <class T> CUPEL_DEVICE T operator()(const T &a, const T &b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T> CUPEL_DEVICE T operator()(const T &a, const T &b) const {
    return b < a ? b : a;
  }
};
template <class K, class V> struct KeyValuePair {
  using Key = K;
  using Value = V;
  K key;
  V value;
};
struct ArgMax {
  template <class P> CUPEL_DEVICE P operator()(const P &a, const P &b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class P> CUPEL_DEVICE P operator()(const P &a, const P &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct Difference {
  template <class T> CUPEL_DEVICE T operator()(const T &a, const T &b) const { return a - b; }
};
struct Equality {
  template <class T> CUPEL_DEVICE bool operator()(const T &a, const T &b) const { return a == b; }
};
struct Inequality {
  template <class T> CUPEL_DEVICE bool operator()(const T &a, const T &b) const { return a != b; }
};
struct NullType {};

namespace emulated {
/// Room for values that need no constructor, so that it can be a member of a union.
template <class T, int N> struct Room {
  alignas(T) unsigned char bytes[N * sizeof(T)];
  CUPEL_DEVICE T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};
/// A collective that keeps nothing in shared memory.
struct NoRoom {
  unsigned char unused;
};
CUPEL_DEVICE int rank() { return static_cast<int>(cupel::emu::threadLinear()); }
CUPEL_DEVICE int lane() { return static_cast<int>(cupel::emu::laneId()); }

/// The lanes of the logical warp of `Width` that the caller is one of.
template <int Width> CUPEL_DEVICE unsigned logicalWarp() {
  return (Width == 32 ? ~0u : (1u << Width % 32) - 1) << (lane() / Width * Width);
}

/// Who shares a collective: the threads of the block, or the lanes of a logical warp.
struct BlockRank {
  CUPEL_DEVICE static int get() { return rank(); }
  CUPEL_DEVICE static void sync() { __syncthreads(); }
};
template <int Width> struct WarpRank {
  CUPEL_DEVICE static int get() { return lane() % Width; }
  CUPEL_DEVICE static void sync() { __syncwarp(logicalWarp<Width>()); }
};
} // namespace emulated

CUPEL_DEVICE unsigned LaneId() { return cupel::emu::laneId(); }
CUPEL_DEVICE unsigned WarpId() { return cupel::emu::warpId(); }
CUPEL_DEVICE int RowMajorTid(int, int, int) { return emulated::rank(); }
template <class A, class B> constexpr auto DivideAndRoundUp(A a, B b) { return (a + b - 1) / b; }

/// `lane` counts within the logical warp, as in CUB.
template <int Width, class T> CUPEL_DEVICE T ShuffleIndex(T v, int lane, unsigned mask) {
  return cupel::emu::shuffleAny(mask, v, emulated::lane() / Width * Width + lane);
}
template <int Width, class T> CUPEL_DEVICE T ShuffleUp(T v, int offset, int first, unsigned mask) {
  const int own = emulated::lane() % Width, from = own - offset < first ? own : own - offset;
  return ShuffleIndex<Width>(v, from, mask);
}
template <int Width, class T> CUPEL_DEVICE T ShuffleDown(T v, int offset, int last, unsigned mask) {
  const int own = emulated::lane() % Width, from = own + offset > last ? own : own + offset;
  return ShuffleIndex<Width>(v, from, mask);
}

} // namespace cub
