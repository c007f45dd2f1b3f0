/// CUB's collectives of blocks and warps with CUB's interface, but plain algorithms: what they keep
/// in TempStorage lies in shared memory, so that its use again without a barrier is found as a
/// race.
#pragma once

#include "cupel/emulate/Thread.h"
#include "cupel/emulate/Warp.h"

#include <cstdint>
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

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace emulated {
/// Room for values that need no constructor, so that it can be a member of a union.
template <class T, int N> struct Room {
  alignas(T) unsigned char bytes[N * sizeof(T)];
  CUPEL_DEVICE T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};
CUPEL_DEVICE int rank() { return static_cast<int>(cupel::emu::threadLinear()); }
} // namespace emulated

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
    T own = v[0];
    for (int i = 1; i < N; ++i)
      own = op(own, v[i]);
    return Reduce(own, op);
  }
  CUPEL_DEVICE T Sum(T v) { return Reduce(v, cub::Sum()); }
  CUPEL_DEVICE T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  template <int N> CUPEL_DEVICE T Sum(T (&v)[N]) { return Reduce(v, cub::Sum()); }

private:
  TempStorage &storage;
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
  static constexpr int Threads = X * Y * Z;

public:
  using TempStorage = emulated::Room<T, Threads>;
  CUPEL_DEVICE explicit BlockScan(TempStorage &s) : storage(s) {}

  template <class Op> CUPEL_DEVICE void InclusiveScan(T v, T &out, Op op, T &total) {
    share(v);
    out = upTo(emulated::rank() + 1, op);
    total = upTo(Threads, op);
  }
  template <class Op> CUPEL_DEVICE void InclusiveScan(T v, T &out, Op op) {
    share(v);
    out = upTo(emulated::rank() + 1, op);
  }
  template <class Op> CUPEL_DEVICE void ExclusiveScan(T v, T &out, T initial, Op op, T &total) {
    share(v);
    const int own = emulated::rank();
    out = own ? op(initial, upTo(own, op)) : initial;
    total = upTo(Threads, op);
  }
  template <class Op> CUPEL_DEVICE void ExclusiveScan(T v, T &out, T initial, Op op) {
    share(v);
    const int own = emulated::rank();
    out = own ? op(initial, upTo(own, op)) : initial;
  }
  CUPEL_DEVICE void InclusiveSum(T v, T &out) { InclusiveScan(v, out, Sum()); }
  CUPEL_DEVICE void InclusiveSum(T v, T &out, T &total) { InclusiveScan(v, out, Sum(), total); }
  CUPEL_DEVICE void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(), Sum()); }
  CUPEL_DEVICE void ExclusiveSum(T v, T &out, T &total) {
    ExclusiveScan(v, out, T(), Sum(), total);
  }
  template <int N> CUPEL_DEVICE void InclusiveSum(T (&v)[N], T (&out)[N]) { sums(v, out, true); }
  template <int N> CUPEL_DEVICE void InclusiveSum(T (&v)[N], T (&out)[N], T &total) {
    sums(v, out, true);
    total = upTo(Threads, Sum());
  }
  template <int N> CUPEL_DEVICE void ExclusiveSum(T (&v)[N], T (&out)[N]) { sums(v, out, false); }
  template <int N> CUPEL_DEVICE void ExclusiveSum(T (&v)[N], T (&out)[N], T &total) {
    sums(v, out, false);
    total = upTo(Threads, Sum());
  }

private:
  CUPEL_DEVICE void share(T v) {
    storage[emulated::rank()] = v;
    __syncthreads();
  }
  template <class Op> CUPEL_DEVICE T upTo(int count, Op op) {
    T v = storage[0];
    for (int i = 1; i < count; ++i)
      v = op(v, storage[i]);
    return v;
  }
  template <int N> CUPEL_DEVICE void sums(T (&v)[N], T (&out)[N], bool inclusive) {
    T own = T();
    for (const T &item : v)
      own = own + item;
    share(own);
    T running = emulated::rank() ? upTo(emulated::rank(), Sum()) : T();
    for (int i = 0; i < N; ++i) {
      const T item = v[i];
      out[i] = inclusive ? running + item : running;
      running = running + item;
    }
  }
  TempStorage &storage;
};

/// A logical warp of the warp that calls.
template <class T, int Width = 32> class WarpReduce {
public:
  struct TempStorage {
    unsigned char unused;
  };
  CUPEL_DEVICE explicit WarpReduce(TempStorage &) {}

  /// The result is lane 0's alone.
  template <class Op> CUPEL_DEVICE T Reduce(T v, Op op, int valid) {
    const int own = static_cast<int>(cupel::emu::laneId()) % Width;
    const unsigned mask = members();
    for (int step = 1; step < Width; step *= 2) {
      const int from = own + step < Width ? own + step : own;
      const T other =
          cupel::emu::shuffleAny(mask, v, static_cast<int>(cupel::emu::laneId()) - own + from);
      if (own % (2 * step) == 0 && own + step < valid)
        v = op(v, other);
    }
    return v;
  }
  template <class Op> CUPEL_DEVICE T Reduce(T v, Op op) { return Reduce(v, op, Width); }
  CUPEL_DEVICE T Sum(T v) { return Reduce(v, cub::Sum()); }
  CUPEL_DEVICE T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  CUPEL_DEVICE T Max(T v) { return Reduce(v, cub::Max()); }
  CUPEL_DEVICE T Min(T v) { return Reduce(v, cub::Min()); }

private:
  CUPEL_DEVICE static unsigned members() {
    return (Width == 32 ? ~0u : (1u << Width % 32) - 1) << (cupel::emu::laneId() / Width * Width);
  }
};

template <class T, int Width = 32> class WarpScan {
public:
  struct TempStorage {
    unsigned char unused;
  };
  CUPEL_DEVICE explicit WarpScan(TempStorage &) {}
  template <class Op> CUPEL_DEVICE void InclusiveScan(T v, T &out, Op op) {
    const int lane = static_cast<int>(cupel::emu::laneId()), own = lane % Width;
    const unsigned mask = (Width == 32 ? ~0u : (1u << Width % 32) - 1) << (lane - own);
    for (int step = 1; step < Width; step *= 2) {
      const T below = cupel::emu::shuffleAny(mask, v, own >= step ? lane - step : lane);
      if (own >= step)
        v = op(below, v);
    }
    out = v;
  }
  template <class Op> CUPEL_DEVICE void ExclusiveScan(T v, T &out, T initial, Op op) {
    InclusiveScan(v, v, op);
    const int lane = static_cast<int>(cupel::emu::laneId()), own = lane % Width;
    const unsigned mask = (Width == 32 ? ~0u : (1u << Width % 32) - 1) << (lane - own);
    const T below = cupel::emu::shuffleAny(mask, v, own ? lane - 1 : lane);
    out = own ? op(initial, below) : initial;
  }
  CUPEL_DEVICE void InclusiveSum(T v, T &out) { InclusiveScan(v, out, Sum()); }
  CUPEL_DEVICE void ExclusiveSum(T v, T &out) { ExclusiveScan(v, out, T(), Sum()); }
};

template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1>
class BlockLoad {
public:
  struct TempStorage {
    unsigned char unused;
  };
  CUPEL_DEVICE BlockLoad() {}
  CUPEL_DEVICE explicit BlockLoad(TempStorage &) {}
  template <class I> CUPEL_DEVICE void Load(I from, T (&items)[N]) {
    for (int i = 0; i < N; ++i)
      items[i] = from[at(i)];
  }
  template <class I> CUPEL_DEVICE void Load(I from, T (&items)[N], int valid) {
    for (int i = 0; i < N; ++i)
      if (at(i) < valid)
        items[i] = from[at(i)];
  }
  template <class I, class D> CUPEL_DEVICE void Load(I from, T (&items)[N], int valid, D other) {
    for (int i = 0; i < N; ++i)
      items[i] = at(i) < valid ? static_cast<T>(from[at(i)]) : static_cast<T>(other);
  }

private:
  CUPEL_DEVICE static int at(int i) {
    return Algorithm == BLOCK_LOAD_STRIPED ? i * X * Y * Z + emulated::rank()
                                           : emulated::rank() * N + i;
  }
};

template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1>
class BlockStore {
public:
  struct TempStorage {
    unsigned char unused;
  };
  CUPEL_DEVICE BlockStore() {}
  CUPEL_DEVICE explicit BlockStore(TempStorage &) {}
  template <class O> CUPEL_DEVICE void Store(O to, T (&items)[N], int valid = 0x7fffffff) {
    for (int i = 0; i < N; ++i) {
      const int at = Algorithm == BLOCK_STORE_STRIPED ? i * X * Y * Z + emulated::rank()
                                                      : emulated::rank() * N + i;
      if (at < valid)
        to[at] = items[i];
    }
  }
};

/// A stable sort by keys in the order of their type; -0 and NaN are as `<` has them.
template <class K, int X, int N, class V = void> class BlockRadixSort {
  static constexpr bool HasValues = !std::is_void_v<V>;
  using Carried = std::conditional_t<HasValues, V, unsigned char>;
  static constexpr int Count = X * N;

public:
  struct TempStorage {
    emulated::Room<K, Count> keys;
    emulated::Room<Carried, Count> values;
  };
  CUPEL_DEVICE explicit BlockRadixSort(TempStorage &s) : storage(s) {}
  CUPEL_DEVICE void Sort(K (&keys)[N], int = 0, int = 0) { sort(keys, nullptr, false); }
  CUPEL_DEVICE void SortDescending(K (&keys)[N], int = 0, int = 0) { sort(keys, nullptr, true); }
  CUPEL_DEVICE void Sort(K (&keys)[N], Carried (&values)[N], int = 0, int = 0) {
    sort(keys, values, false);
  }
  CUPEL_DEVICE void SortDescending(K (&keys)[N], Carried (&values)[N], int = 0, int = 0) {
    sort(keys, values, true);
  }

private:
  CUPEL_DEVICE void sort(K (&keys)[N], Carried *values, bool descending) {
    const int first = emulated::rank() * N;
    for (int i = 0; i < N; ++i) {
      storage.keys[first + i] = keys[i];
      if (values)
        storage.values[first + i] = values[i];
    }
    __syncthreads();
    // Each thread finds the places of its own keys: by the count of those that go before.
    int place[N];
    for (int i = 0; i < N; ++i) {
      place[i] = 0;
      for (int j = 0; j < Count; ++j) {
        const K &other = storage.keys[j];
        const bool before = descending ? keys[i] < other : other < keys[i];
        const bool after = descending ? other < keys[i] : keys[i] < other;
        place[i] += before || (!after && j < first + i);
      }
    }
    __syncthreads();
    for (int i = 0; i < N; ++i) {
      storage.keys[place[i]] = keys[i];
      if (values)
        storage.values[place[i]] = values[i];
    }
    __syncthreads();
    for (int i = 0; i < N; ++i) {
      keys[i] = storage.keys[first + i];
      if (values)
        values[i] = storage.values[first + i];
    }
  }
  TempStorage &storage;
};

CUPEL_DEVICE unsigned LaneId() { return cupel::emu::laneId(); }
CUPEL_DEVICE unsigned WarpId() { return cupel::emu::warpId(); }
CUPEL_DEVICE int RowMajorTid(int, int, int) { return emulated::rank(); }
template <class A, class B> constexpr auto DivideAndRoundUp(A a, B b) { return (a + b - 1) / b; }

} // namespace cub
