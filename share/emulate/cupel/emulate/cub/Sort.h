/// cub::BlockRadixSort, cub::BlockMergeSort, cub::WarpMergeSort: stable, each thread finds the
/// places of its items.
#pragma once

#include "cupel/emulate/cub/Common.h"

namespace cub {

namespace emulated {
/// The bits of a key in the order of its values. CUB sorts -0 with 0, and NaN by its bits.
template <class K> CUPEL_DEVICE uint64_t orderedBits(const K &key) {
  static_assert(sizeof(K) <= 8, "not emulated: a radix sort of keys over 8 bytes");
  constexpr int Size = 8 * sizeof(K);
  constexpr uint64_t Sign = uint64_t(1) << (Size - 1), All = Sign | (Sign - 1);
  uint64_t bits = 0;
  __builtin_memcpy(&bits, static_cast<const void *>(&key), sizeof(K));
  if constexpr (std::is_unsigned_v<K>)
    return bits;
  else if constexpr (std::is_integral_v<K>)
    return bits ^ Sign;
  else // Floating point, of 16 bits too.
    return bits == Sign ? Sign : bits & Sign ? ~bits & All : bits | Sign;
}

template <class K, class V, int Threads, int N> struct SortRoom {
  Room<K, Threads * N> keys;
  Room<V, Threads * N> values;
};

/// Puts items into the order of `less`; striped: item i of a thread is the i-th round's.
template <class Rank, int Threads, int N, class K, class V, class Less>
CUPEL_DEVICE void sortItems(SortRoom<K, V, Threads, N> &room, K (&keys)[N], V *values, bool striped,
                            Less less) {
  const int first = Rank::get() * N;
  for (int i = 0; i < N; ++i) {
    room.keys[first + i] = keys[i];
    if (values)
      room.values[first + i] = values[i];
  }
  Rank::sync();
  int place[N];
  for (int i = 0; i < N; ++i) {
    place[i] = 0;
    for (int j = 0; j < Threads * N; ++j) {
      const K &other = room.keys[j];
      place[i] += less(other, keys[i]) || (j < first + i && !less(keys[i], other));
    }
  }
  Rank::sync();
  for (int i = 0; i < N; ++i) {
    room.keys[place[i]] = keys[i];
    if (values)
      room.values[place[i]] = values[i];
  }
  Rank::sync();
  for (int i = 0; i < N; ++i) {
    const int at = striped ? i * Threads + Rank::get() : first + i;
    keys[i] = room.keys[at];
    if (values)
      values[i] = room.values[at];
  }
}
} // namespace emulated

template <class K, int X, int N, class V = NullType, int RadixBits = 4, bool MemoizeOuter = true,
          int InnerScan = 0, int SharedConfig = 0, int Y = 1, int Z = 1>
class BlockRadixSort {
  static constexpr int Threads = X * Y * Z, Bits = 8 * sizeof(K);

public:
  using TempStorage = emulated::SortRoom<K, V, Threads, N>;
  CUPEL_DEVICE explicit BlockRadixSort(TempStorage &s) : storage(s) {}

#define CUPEL_SORT(NAME, DESCENDING, STRIPED)                                                      \
  CUPEL_DEVICE void NAME(K(&keys)[N], int begin = 0, int end = Bits) {                             \
    sort(keys, nullptr, DESCENDING, STRIPED, begin, end);                                          \
  }                                                                                                \
  CUPEL_DEVICE void NAME(K(&keys)[N], V(&values)[N], int begin = 0, int end = Bits) {              \
    sort(keys, values, DESCENDING, STRIPED, begin, end);                                           \
  }
  CUPEL_SORT(Sort, false, false)
  CUPEL_SORT(SortDescending, true, false)
  CUPEL_SORT(SortBlockedToStriped, false, true)
  CUPEL_SORT(SortDescendingBlockedToStriped, true, true)
#undef CUPEL_SORT

private:
  CUPEL_DEVICE void sort(K (&keys)[N], V *values, bool descending, bool striped, int begin,
                         int end) {
    const uint64_t mask = end - begin >= 64 ? ~uint64_t(0) : (uint64_t(1) << (end - begin)) - 1;
    const auto digit = [&](const K &key) { return emulated::orderedBits(key) >> begin & mask; };
    emulated::sortItems<emulated::BlockRank, Threads, N>(
        storage, keys, values, striped, [&](const K &a, const K &b) {
          return descending ? digit(b) < digit(a) : digit(a) < digit(b);
        });
  }
  TempStorage &storage;
};

namespace emulated {
template <class Rank, int Threads, class K, int N, class V> class MergeSort {
public:
  using TempStorage = SortRoom<K, V, Threads, N>;
  CUPEL_DEVICE explicit MergeSort(TempStorage &s) : storage(s) {}

  template <class Less> CUPEL_DEVICE void Sort(K (&keys)[N], Less less) {
    sortItems<Rank, Threads, N>(storage, keys, static_cast<V *>(nullptr), false, less);
  }
  template <class Less> CUPEL_DEVICE void Sort(K (&keys)[N], V (&values)[N], Less less) {
    sortItems<Rank, Threads, N>(storage, keys, static_cast<V *>(values), false, less);
  }
  /// Items from `valid` on become `last`, which is not less than any other.
  template <class Less> CUPEL_DEVICE void Sort(K (&keys)[N], Less less, int valid, K last) {
    replace(keys, valid, last);
    Sort(keys, less);
  }
  template <class Less>
  CUPEL_DEVICE void Sort(K (&keys)[N], V (&values)[N], Less less, int valid, K last) {
    replace(keys, valid, last);
    Sort(keys, values, less);
  }
  template <class... A> CUPEL_DEVICE void StableSort(K (&keys)[N], A &&...rest) {
    Sort(keys, static_cast<A &&>(rest)...);
  }

private:
  CUPEL_DEVICE static void replace(K (&keys)[N], int valid, const K &last) {
    for (int i = 0; i < N; ++i)
      if (Rank::get() * N + i >= valid)
        keys[i] = last;
  }
  TempStorage &storage;
};
} // namespace emulated

template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1>
struct BlockMergeSort : emulated::MergeSort<emulated::BlockRank, X * Y * Z, K, N, V> {
  using emulated::MergeSort<emulated::BlockRank, X * Y * Z, K, N, V>::MergeSort;
};
template <class K, int N, int Width = 32, class V = NullType>
struct WarpMergeSort : emulated::MergeSort<emulated::WarpRank<Width>, Width, K, N, V> {
  using emulated::MergeSort<emulated::WarpRank<Width>, Width, K, N, V>::MergeSort;
};

} // namespace cub
