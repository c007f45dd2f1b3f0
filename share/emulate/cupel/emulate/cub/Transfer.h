/// How items go between memory and threads, and between threads: cub::BlockLoad, cub::BlockStore,
/// their kin of a warp, cub::BlockExchange, cub::WarpExchange, cub::BlockShuffle.
#pragma once

#include "cupel/emulate/Shared.h"
#include "cupel/emulate/cub/Common.h"

namespace cub {

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
enum WarpLoadAlgorithm {
  WARP_LOAD_DIRECT,
  WARP_LOAD_STRIPED,
  WARP_LOAD_VECTORIZE,
  WARP_LOAD_TRANSPOSE
};
enum WarpStoreAlgorithm {
  WARP_STORE_DIRECT,
  WARP_STORE_STRIPED,
  WARP_STORE_VECTORIZE,
  WARP_STORE_TRANSPOSE
};

namespace emulated {
/// Item i of thread `rank` of `threads`: next to its other items, or one of each round of threads.
CUPEL_DEVICE int blocked(int rank, int i, int items) { return rank * items + i; }
CUPEL_DEVICE int striped(int rank, int i, int threads) { return i * threads + rank; }
/// Rounds of the threads of each warp.
CUPEL_DEVICE int warpStriped(int rank, int i, int items) {
  return rank / 32 * 32 * items + i * 32 + rank % 32;
}

/// Of a thread's items in memory: next to each other, or one of each round of the threads.
/// Transposed: as rounds, and from there to the threads, or back, through shared memory.
enum class Way { Blocked, Striped, Transposed };

/// The lanes of a warp that has a part of the block's items for itself.
struct WarpOfBlock {
  CUPEL_DEVICE static int get() { return lane(); }
  CUPEL_DEVICE static int first() { return rank() / 32 * 32; }
  CUPEL_DEVICE static void sync() { __syncwarp(); }
};

/// What loads and stores of a block and of a warp have in common. Of `Threads` that share the
/// storage, `Round` share the items, who are `Rank`s.
template <class T, int N, int Threads, int Round, Way How, class Rank> class Moves {
public:
  using TempStorage = std::conditional_t<How == Way::Transposed, Room<T, Threads * N>, NoRoom>;

  CUPEL_DEVICE Moves() {
    if constexpr (How == Way::Transposed)
      storage = &cupel::emu::sharedVariable<TempStorage, Moves>("temporary storage");
  }
  CUPEL_DEVICE explicit Moves(TempStorage &s) : storage(&s) {}

protected:
  CUPEL_DEVICE static int at(int i) {
    return first() +
           (How == Way::Blocked ? blocked(Rank::get(), i, N) : striped(Rank::get(), i, Round));
  }
  CUPEL_DEVICE void fromRounds(T (&items)[N]) {
    if constexpr (How == Way::Transposed) {
      for (int i = 0; i < N; ++i)
        (*storage)[at(i)] = items[i];
      Rank::sync();
      for (int i = 0; i < N; ++i)
        items[i] = (*storage)[first() + blocked(Rank::get(), i, N)];
    }
  }
  CUPEL_DEVICE void toRounds(T (&items)[N]) {
    if constexpr (How == Way::Transposed) {
      for (int i = 0; i < N; ++i)
        (*storage)[first() + blocked(Rank::get(), i, N)] = items[i];
      Rank::sync();
      for (int i = 0; i < N; ++i)
        items[i] = (*storage)[at(i)];
    }
  }

private:
  CUPEL_DEVICE static int first() {
    if constexpr (std::is_same_v<Rank, WarpOfBlock>)
      return Rank::first() * N;
    else
      return 0;
  }
  TempStorage *storage = nullptr;
};

template <class T, int N, int Threads, int Round, Way How, class Rank>
class LoadsOf : public Moves<T, N, Threads, Round, How, Rank> {
  using Base = Moves<T, N, Threads, Round, How, Rank>;

public:
  using Base::Base;
  template <class I> CUPEL_DEVICE void Load(I from, T (&items)[N]) {
    Load(from, items, 0x7fffffff);
  }
  template <class I> CUPEL_DEVICE void Load(I from, T (&items)[N], int valid) {
    for (int i = 0; i < N; ++i)
      if (this->at(i) < valid)
        items[i] = from[this->at(i)];
    this->fromRounds(items);
  }
  template <class I, class D> CUPEL_DEVICE void Load(I from, T (&items)[N], int valid, D other) {
    for (int i = 0; i < N; ++i)
      items[i] = this->at(i) < valid ? static_cast<T>(from[this->at(i)]) : static_cast<T>(other);
    this->fromRounds(items);
  }
};
template <class T, int N, int Threads, int Round, Way How, class Rank>
class StoresOf : public Moves<T, N, Threads, Round, How, Rank> {
  using Base = Moves<T, N, Threads, Round, How, Rank>;

public:
  using Base::Base;
  template <class O> CUPEL_DEVICE void Store(O to, T (&items)[N], int valid = 0x7fffffff) {
    this->toRounds(items);
    for (int i = 0; i < N; ++i)
      if (const int at = this->at(i); at < valid)
        to[at] = items[i];
  }
};

constexpr bool isOfWarps(BlockLoadAlgorithm A) {
  return A == BLOCK_LOAD_WARP_TRANSPOSE || A == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED;
}
constexpr bool isOfWarps(BlockStoreAlgorithm A) {
  return A == BLOCK_STORE_WARP_TRANSPOSE || A == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED;
}
/// Both enumerations, and a warp's, have the same order.
constexpr Way wayOf(int Algorithm) {
  return Algorithm == BLOCK_LOAD_STRIPED     ? Way::Striped
         : Algorithm >= BLOCK_LOAD_TRANSPOSE ? Way::Transposed
                                             : Way::Blocked;
}
template <auto Algorithm>
using RankOf = std::conditional_t<isOfWarps(Algorithm), WarpOfBlock, BlockRank>;
} // namespace emulated

template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1>
struct BlockLoad
    : emulated::LoadsOf<T, N, X * Y * Z, emulated::isOfWarps(Algorithm) ? 32 : X * Y * Z,
                        emulated::wayOf(Algorithm), emulated::RankOf<Algorithm>> {
  using BlockLoad::LoadsOf::LoadsOf;
};
template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1>
struct BlockStore
    : emulated::StoresOf<T, N, X * Y * Z, emulated::isOfWarps(Algorithm) ? 32 : X * Y * Z,
                         emulated::wayOf(Algorithm), emulated::RankOf<Algorithm>> {
  using BlockStore::StoresOf::StoresOf;
};
template <class T, int N, WarpLoadAlgorithm Algorithm = WARP_LOAD_DIRECT, int Width = 32>
struct WarpLoad
    : emulated::LoadsOf<T, N, Width, Width, emulated::wayOf(Algorithm), emulated::WarpRank<Width>> {
  using WarpLoad::LoadsOf::LoadsOf;
};
template <class T, int N, WarpStoreAlgorithm Algorithm = WARP_STORE_DIRECT, int Width = 32>
struct WarpStore : emulated::StoresOf<T, N, Width, Width, emulated::wayOf(Algorithm),
                                      emulated::WarpRank<Width>> {
  using WarpStore::StoresOf::StoresOf;
};

template <class T, int N, class I, class... Rest>
CUPEL_DEVICE void LoadDirectBlocked(int rank, I from, T (&items)[N], Rest... rest) {
  const int valid = std::get<0>(std::tuple<Rest..., int>(rest..., 0x7fffffff));
  for (int i = 0; i < N; ++i)
    if (const int at = emulated::blocked(rank, i, N); at < valid)
      items[i] = from[at];
    else if constexpr (sizeof...(Rest) > 1)
      items[i] = static_cast<T>(std::get<1>(std::tuple<Rest...>(rest...)));
}
template <int Threads, class T, int N, class I, class... Rest>
CUPEL_DEVICE void LoadDirectStriped(int rank, I from, T (&items)[N], Rest... rest) {
  const int valid = std::get<0>(std::tuple<Rest..., int>(rest..., 0x7fffffff));
  for (int i = 0; i < N; ++i)
    if (const int at = emulated::striped(rank, i, Threads); at < valid)
      items[i] = from[at];
    else if constexpr (sizeof...(Rest) > 1)
      items[i] = static_cast<T>(std::get<1>(std::tuple<Rest...>(rest...)));
}
template <class T, int N, class O>
CUPEL_DEVICE void StoreDirectBlocked(int rank, O to, T (&items)[N], int valid = 0x7fffffff) {
  for (int i = 0; i < N; ++i)
    if (const int at = emulated::blocked(rank, i, N); at < valid)
      to[at] = items[i];
}
template <int Threads, class T, int N, class O>
CUPEL_DEVICE void StoreDirectStriped(int rank, O to, T (&items)[N], int valid = 0x7fffffff) {
  for (int i = 0; i < N; ++i)
    if (const int at = emulated::striped(rank, i, Threads); at < valid)
      to[at] = items[i];
}

template <class T, int X, int N, bool TimeSliced = false, int Y = 1, int Z = 1>
class BlockExchange {
  static constexpr int Threads = X * Y * Z;

public:
  using TempStorage = emulated::Room<T, Threads * N>;
  CUPEL_DEVICE explicit BlockExchange(TempStorage &s) : storage(s) {}

#define CUPEL_EXCHANGE(NAME, TO, FROM)                                                             \
  template <class U> CUPEL_DEVICE void NAME(const T(&in)[N], U(&out)[N]) {                         \
    const int rank = emulated::rank();                                                             \
    for (int i = 0; i < N; ++i)                                                                    \
      storage[TO] = in[i];                                                                         \
    __syncthreads();                                                                               \
    for (int i = 0; i < N; ++i)                                                                    \
      out[i] = storage[FROM];                                                                      \
  }                                                                                                \
  CUPEL_DEVICE void NAME(T(&items)[N]) { NAME(items, items); }
  CUPEL_EXCHANGE(StripedToBlocked, emulated::striped(rank, i, Threads),
                 emulated::blocked(rank, i, N))
  CUPEL_EXCHANGE(BlockedToStriped, emulated::blocked(rank, i, N),
                 emulated::striped(rank, i, Threads))
  CUPEL_EXCHANGE(WarpStripedToBlocked, emulated::warpStriped(rank, i, N),
                 emulated::blocked(rank, i, N))
  CUPEL_EXCHANGE(BlockedToWarpStriped, emulated::blocked(rank, i, N),
                 emulated::warpStriped(rank, i, N))
#undef CUPEL_EXCHANGE

  template <class U, class R>
  CUPEL_DEVICE void ScatterToBlocked(const T (&in)[N], U (&out)[N], R (&ranks)[N]) {
    scatter(in, ranks, [](int) { return true; });
    for (int i = 0; i < N; ++i)
      out[i] = storage[emulated::blocked(emulated::rank(), i, N)];
  }
  template <class U, class R>
  CUPEL_DEVICE void ScatterToStriped(const T (&in)[N], U (&out)[N], R (&ranks)[N]) {
    scatter(in, ranks, [](int) { return true; });
    collectStriped(out);
  }
  template <class R> CUPEL_DEVICE void ScatterToBlocked(T (&items)[N], R (&ranks)[N]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class R> CUPEL_DEVICE void ScatterToStriped(T (&items)[N], R (&ranks)[N]) {
    ScatterToStriped(items, items, ranks);
  }
  /// Items of a negative rank are left out, and so are those that no item goes to.
  template <class U, class R>
  CUPEL_DEVICE void ScatterToStripedGuarded(const T (&in)[N], U (&out)[N], R (&ranks)[N]) {
    scatter(in, ranks, [&](int i) { return ranks[i] >= 0; });
    collectStriped(out);
  }
  template <class U, class R, class F>
  CUPEL_DEVICE void ScatterToStripedFlagged(const T (&in)[N], U (&out)[N], R (&ranks)[N],
                                            F (&flags)[N]) {
    scatter(in, ranks, [&](int i) { return static_cast<bool>(flags[i]); });
    collectStriped(out);
  }

private:
  template <class U> CUPEL_DEVICE void collectStriped(U (&out)[N]) {
    for (int i = 0; i < N; ++i)
      out[i] = storage[emulated::striped(emulated::rank(), i, Threads)];
  }
  template <class R, class P> CUPEL_DEVICE void scatter(const T (&in)[N], R (&ranks)[N], P goes) {
    for (int i = 0; i < N; ++i)
      if (goes(i))
        storage[static_cast<int>(ranks[i])] = in[i];
    __syncthreads();
  }
  TempStorage &storage;
};

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int N, int Width = 32, WarpExchangeAlgorithm Algorithm = WARP_EXCHANGE_SMEM>
class WarpExchange {
  using Rank = emulated::WarpRank<Width>;

public:
  using TempStorage = emulated::Room<T, Width * N>;
  CUPEL_DEVICE explicit WarpExchange(TempStorage &s) : storage(s) {}

  template <class U> CUPEL_DEVICE void BlockedToStriped(const T (&in)[N], U (&out)[N]) {
    for (int i = 0; i < N; ++i)
      storage[emulated::blocked(Rank::get(), i, N)] = in[i];
    collect(out, true);
  }
  template <class U> CUPEL_DEVICE void StripedToBlocked(const T (&in)[N], U (&out)[N]) {
    for (int i = 0; i < N; ++i)
      storage[emulated::striped(Rank::get(), i, Width)] = in[i];
    collect(out, false);
  }
  template <class U, class R>
  CUPEL_DEVICE void ScatterToStriped(const T (&in)[N], U (&out)[N], R (&ranks)[N]) {
    for (int i = 0; i < N; ++i)
      storage[static_cast<int>(ranks[i])] = in[i];
    collect(out, true);
  }
  template <class R> CUPEL_DEVICE void ScatterToStriped(T (&items)[N], R (&ranks)[N]) {
    ScatterToStriped(items, items, ranks);
  }

private:
  template <class U> CUPEL_DEVICE void collect(U (&out)[N], bool striped) {
    Rank::sync();
    for (int i = 0; i < N; ++i)
      out[i] = storage[striped ? emulated::striped(Rank::get(), i, Width)
                               : emulated::blocked(Rank::get(), i, N)];
  }
  TempStorage &storage;
};

template <class T, int X, int Y = 1, int Z = 1> class BlockShuffle {
  static constexpr int Threads = X * Y * Z;

public:
  using TempStorage = emulated::Room<T, Threads>;
  CUPEL_DEVICE explicit BlockShuffle(TempStorage &s) : storage(s) {}

  /// What the thread `distance` further on has; a thread that has none there keeps its output.
  CUPEL_DEVICE void Offset(T in, T &out, int distance = 1) {
    share(in);
    const int from = emulated::rank() + distance;
    if (from >= 0 && from < Threads)
      out = storage[from];
  }
  CUPEL_DEVICE void Rotate(T in, T &out, unsigned distance = 1) {
    share(in);
    out = storage[(emulated::rank() + static_cast<int>(distance)) % Threads];
  }
  template <int N> CUPEL_DEVICE void Up(T (&in)[N], T (&out)[N]) {
    share(in[N - 1]);
    for (int i = N - 1; i > 0; --i)
      out[i] = in[i - 1];
    if (emulated::rank() > 0)
      out[0] = storage[emulated::rank() - 1];
  }
  template <int N> CUPEL_DEVICE void Down(T (&in)[N], T (&out)[N]) {
    share(in[0]);
    for (int i = 0; i < N - 1; ++i)
      out[i] = in[i + 1];
    if (emulated::rank() < Threads - 1)
      out[N - 1] = storage[emulated::rank() + 1];
  }

private:
  CUPEL_DEVICE void share(const T &v) {
    storage[emulated::rank()] = v;
    __syncthreads();
  }
  TempStorage &storage;
};

} // namespace cub
