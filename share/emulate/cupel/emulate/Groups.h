/// Cooperative groups: the block, the grid, tiles of a warp, coalesced lanes; their collectives.
#pragma once

#include "cupel/emulate/Shared.h"
#include "cupel/emulate/Thread.h"
#include "cupel/emulate/Warp.h"

#include <type_traits>
#include <utility>

namespace cooperative_groups {

namespace emu = cupel::emu;

/// Lanes of one warp by their mask; what tiles and coalesced groups have in common.
class lane_group {
public:
  CUPEL_DEVICE explicit lane_group(unsigned mask) : mask_(mask) {}
  CUPEL_DEVICE unsigned size() const { return __popc(mask_); }
  CUPEL_DEVICE unsigned num_threads() const { return size(); }
  CUPEL_DEVICE unsigned thread_rank() const { return __popc(mask_ & __lanemask_lt()); }
  CUPEL_DEVICE void sync() const { __syncwarp(mask_); }
  CUPEL_DEVICE int any(int p) const { return __any_sync(mask_, p); }
  CUPEL_DEVICE int all(int p) const { return __all_sync(mask_, p); }
  CUPEL_DEVICE unsigned ballot(int p) const { return pack(__ballot_sync(mask_, p)); }
  template <class T> CUPEL_DEVICE unsigned match_any(T v) const {
    return pack(__match_any_sync(mask_, v));
  }
  template <class T> CUPEL_DEVICE unsigned match_all(T v, int &p) const {
    return pack(__match_all_sync(mask_, v, &p));
  }
  template <class T> CUPEL_DEVICE T shfl(const T &v, int rank) const {
    return emu::shuffleAny(mask_, v, lane(static_cast<unsigned>(rank) % size()));
  }
  template <class T> CUPEL_DEVICE T shfl_up(const T &v, unsigned delta) const {
    const unsigned own = thread_rank();
    return emu::shuffleAny(mask_, v, lane(own < delta ? own : own - delta));
  }
  template <class T> CUPEL_DEVICE T shfl_down(const T &v, unsigned delta) const {
    const unsigned own = thread_rank();
    return emu::shuffleAny(mask_, v, lane(own + delta >= size() ? own : own + delta));
  }
  template <class T> CUPEL_DEVICE T shfl_xor(const T &v, unsigned bits) const {
    const unsigned own = thread_rank(), from = own ^ bits;
    return emu::shuffleAny(mask_, v, lane(from >= size() ? own : from));
  }
  CUPEL_DEVICE unsigned lane_mask() const { return mask_; }
  CUPEL_DEVICE unsigned meta_group_size() const { return 1; }
  CUPEL_DEVICE unsigned meta_group_rank() const { return 0; }

protected:
  CUPEL_DEVICE unsigned lane(unsigned rank) const {
    return __fns(mask_, 0, static_cast<int>(rank) + 1);
  }
  // Bits of lanes to bits of ranks.
  CUPEL_DEVICE unsigned pack(unsigned lanes) const {
    unsigned packed = 0, rank = 0;
    for (unsigned rest = mask_; rest; rest &= rest - 1, ++rank)
      packed |= (lanes & rest & -rest ? 1u : 0u) << rank;
    return packed;
  }
  unsigned mask_;
};

struct coalesced_group : lane_group {
  using lane_group::lane_group;
};

/// A group of unknown kind: the block, or lanes of a warp.
class thread_group {
public:
  CUPEL_DEVICE thread_group(bool block, unsigned mask) : block_(block), lanes_(mask) {}
  CUPEL_DEVICE thread_group(const lane_group &g) : block_(false), lanes_(g.lane_mask()) {}
  CUPEL_DEVICE unsigned size() const {
    return block_ ? blockDim.x * blockDim.y * blockDim.z : lanes_.size();
  }
  CUPEL_DEVICE unsigned num_threads() const { return size(); }
  CUPEL_DEVICE unsigned thread_rank() const {
    return block_ ? emu::threadLinear() : lanes_.thread_rank();
  }
  CUPEL_DEVICE void sync() const {
    if (block_)
      __syncthreads();
    else
      lanes_.sync();
  }
  template <class T> CUPEL_DEVICE T shfl(const T &v, int rank) const {
    return lanes_.shfl(v, rank);
  }
  template <class T> CUPEL_DEVICE T shfl_down(const T &v, unsigned d) const {
    return lanes_.shfl_down(v, d);
  }
  template <class T> CUPEL_DEVICE T shfl_up(const T &v, unsigned d) const {
    return lanes_.shfl_up(v, d);
  }
  template <class T> CUPEL_DEVICE T shfl_xor(const T &v, unsigned b) const {
    return lanes_.shfl_xor(v, b);
  }

private:
  bool block_;
  lane_group lanes_;
};

class thread_block {
public:
  CUPEL_DEVICE static void sync() { __syncthreads(); }
  CUPEL_DEVICE static unsigned thread_rank() { return emu::threadLinear(); }
  CUPEL_DEVICE static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  CUPEL_DEVICE static unsigned num_threads() { return size(); }
  CUPEL_DEVICE static dim3 group_index() { return blockIdx; }
  CUPEL_DEVICE static dim3 thread_index() { return threadIdx; }
  CUPEL_DEVICE static dim3 group_dim() { return blockDim; }
  CUPEL_DEVICE static dim3 dim_threads() { return blockDim; }
  struct arrival_token {};
  CUPEL_DEVICE operator thread_group() const { return {true, 0xffffffffu}; }
};

class grid_group {
public:
  CUPEL_DEVICE bool is_valid() const { return emu::gridSyncAllowed(); }
  CUPEL_DEVICE void sync() const { emu::gridBarrier(); }
  CUPEL_DEVICE unsigned long long num_threads() const {
    return num_blocks() * thread_block::size();
  }
  CUPEL_DEVICE unsigned long long size() const { return num_threads(); }
  CUPEL_DEVICE unsigned long long num_blocks() const {
    return 1ull * gridDim.x * gridDim.y * gridDim.z;
  }
  CUPEL_DEVICE unsigned long long block_rank() const {
    return blockIdx.x + 1ull * gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z);
  }
  CUPEL_DEVICE unsigned long long thread_rank() const {
    return block_rank() * thread_block::size() + emu::threadLinear();
  }
  CUPEL_DEVICE dim3 group_dim() const { return gridDim; }
  CUPEL_DEVICE dim3 dim_blocks() const { return gridDim; }
  CUPEL_DEVICE dim3 block_index() const { return blockIdx; }
};

template <unsigned Size, class Parent = void> class thread_block_tile : public lane_group {
  static_assert((Size & (Size - 1)) == 0, "a tile's size is a power of two");

public:
  CUPEL_DEVICE thread_block_tile()
      : lane_group((Size == 32 ? ~0u : (1u << Size) - 1) << (emu::laneId() & ~(Size - 1))) {}
  /// A tile forgets of what it is a part.
  template <class Other>
  CUPEL_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &t)
      : lane_group(t.lane_mask()) {}
  CUPEL_DEVICE static constexpr unsigned size() { return Size; }
  CUPEL_DEVICE static constexpr unsigned num_threads() { return Size; }
  CUPEL_DEVICE unsigned thread_rank() const { return emu::laneId() & (Size - 1); }
  CUPEL_DEVICE unsigned meta_group_size() const { return (thread_block::size() + Size - 1) / Size; }
  CUPEL_DEVICE unsigned meta_group_rank() const { return emu::threadLinear() / Size; }
};

/// A tile of several warps. What its warps find goes through shared memory.
template <unsigned Size, class Parent>
  requires(Size > 32)
class thread_block_tile<Size, Parent> {
  static_assert((Size & (Size - 1)) == 0 && Size <= 1024, "a tile's size is a power of two");

public:
  CUPEL_DEVICE thread_block_tile() {}
  template <class Other> CUPEL_DEVICE thread_block_tile(const thread_block_tile<Size, Other> &) {}
  CUPEL_DEVICE static constexpr unsigned size() { return Size; }
  CUPEL_DEVICE static constexpr unsigned num_threads() { return Size; }
  CUPEL_DEVICE unsigned thread_rank() const { return emu::threadLinear() % Size; }
  CUPEL_DEVICE unsigned meta_group_size() const { return (thread_block::size() + Size - 1) / Size; }
  CUPEL_DEVICE unsigned meta_group_rank() const { return emu::threadLinear() / Size; }
  CUPEL_DEVICE void sync() const { emu::tileBarrier(Size); }
  CUPEL_DEVICE int any(int p) const { return anyWarp(__any_sync(~0u, p)); }
  CUPEL_DEVICE int all(int p) const { return !anyWarp(!__all_sync(~0u, p)); }

  /// What each warp of the tile has, by its number in the tile, for all to read.
  template <class T, class F> CUPEL_DEVICE auto ofWarps(const T &own, F &&read) const {
    auto &all = emu::sharedVariable<Slots<T>, Slots<T>>("a tile's results");
    T *slots = reinterpret_cast<T *>(all.bytes) + emu::threadLinear() / Size * (Size / 32);
    if (emu::laneId() == 0)
      slots[thread_rank() / 32] = own;
    sync();
    const auto result = read(slots);
    sync();
    return result;
  }
  /// The warp of the tile that the caller is one of.
  CUPEL_DEVICE lane_group warp() const { return lane_group(0xffffffffu); }
  static constexpr unsigned Warps = Size / 32;

private:
  template <class T> struct Slots {
    alignas(T) unsigned char bytes[32 * sizeof(T)];
  };
  CUPEL_DEVICE int anyWarp(int p) const {
    return ofWarps(p, [](const int *all) {
      int any = 0;
      for (unsigned i = 0; i < Warps; ++i)
        any |= all[i];
      return any;
    });
  }
};

/// What tiles of several warps keep on a GPU; here they have their own.
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {};

CUPEL_DEVICE thread_block this_thread_block() { return {}; }
template <unsigned MaxBlockSize>
CUPEL_DEVICE thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return {};
}
CUPEL_DEVICE grid_group this_grid() { return {}; }
CUPEL_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned Size, class Parent>
CUPEL_DEVICE thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return {};
}
CUPEL_DEVICE thread_group tiled_partition(const thread_group &, unsigned size) {
  return lane_group((size == 32 ? ~0u : (1u << size) - 1) << (emu::laneId() & ~(size - 1)));
}
CUPEL_DEVICE thread_group tiled_partition(const thread_block &b, unsigned size) {
  return tiled_partition(static_cast<thread_group>(b), size);
}
template <class Group> CUPEL_DEVICE coalesced_group binary_partition(const Group &g, bool p) {
  const unsigned yes = __ballot_sync(g.lane_mask(), p);
  return coalesced_group(p ? yes : g.lane_mask() & ~yes);
}
template <class T, class Group>
CUPEL_DEVICE coalesced_group labeled_partition(const Group &g, T label) {
  return coalesced_group(__match_any_sync(g.lane_mask(), label));
}

template <class Group> CUPEL_DEVICE void sync(const Group &g) { g.sync(); }
template <class Group> CUPEL_DEVICE auto thread_rank(const Group &g) { return g.thread_rank(); }
template <class Group> CUPEL_DEVICE auto group_size(const Group &g) { return g.size(); }
template <class Group, class F> CUPEL_DEVICE void invoke_one(const Group &g, F &&f) {
  if (g.thread_rank() == 0)
    f();
}

// Operators.
#define CUPEL_OPERATOR(NAME, EXPRESSION)                                                           \
  template <class T = void> struct NAME {                                                          \
    CUPEL_DEVICE T operator()(const T &a, const T &b) const { return EXPRESSION; }                 \
  };                                                                                               \
  template <> struct NAME<void> {                                                                  \
    template <class T> CUPEL_DEVICE T operator()(const T &a, const T &b) const {                   \
      return EXPRESSION;                                                                           \
    }                                                                                              \
  };
CUPEL_OPERATOR(plus, a + b)
CUPEL_OPERATOR(less, b < a ? b : a)
CUPEL_OPERATOR(greater, a < b ? b : a)
CUPEL_OPERATOR(bit_and, a &b)
CUPEL_OPERATOR(bit_or, a | b)
CUPEL_OPERATOR(bit_xor, a ^ b)
#undef CUPEL_OPERATOR

template <class Group, class T, class Op>
CUPEL_DEVICE std::decay_t<T> reduce(const Group &g, T &&value, Op &&op) {
  std::decay_t<T> result = g.shfl(value, 0);
  for (unsigned rank = 1; rank < g.size(); ++rank)
    result = op(result, g.shfl(value, static_cast<int>(rank)));
  return result;
}
template <unsigned Size, class Parent, class T, class Op>
  requires(Size > 32)
CUPEL_DEVICE std::decay_t<T> reduce(const thread_block_tile<Size, Parent> &g, T &&value, Op &&op) {
  return g.ofWarps(reduce(g.warp(), value, op), [&](const std::decay_t<T> *all) {
    std::decay_t<T> result = all[0];
    for (unsigned i = 1; i < Size / 32; ++i)
      result = op(result, all[i]);
    return result;
  });
}
template <class Group, class T, class Op>
CUPEL_DEVICE std::decay_t<T> inclusive_scan(const Group &g, T &&value, Op &&op) {
  std::decay_t<T> result = value;
  for (unsigned step = 1; step < g.size(); step *= 2) {
    const std::decay_t<T> below = g.shfl_up(result, step);
    if (g.thread_rank() >= step)
      result = op(below, result);
  }
  return result;
}
template <class Group, class T>
CUPEL_DEVICE std::decay_t<T> inclusive_scan(const Group &g, T &&value) {
  return inclusive_scan(g, value, plus<std::decay_t<T>>());
}
template <class Group, class T, class Op>
CUPEL_DEVICE std::decay_t<T> exclusive_scan(const Group &g, T &&value, Op &&op) {
  const std::decay_t<T> before = g.shfl_up(inclusive_scan(g, value, op), 1);
  return g.thread_rank() == 0 ? std::decay_t<T>() : before;
}
template <class Group, class T>
CUPEL_DEVICE std::decay_t<T> exclusive_scan(const Group &g, T &&value) {
  return exclusive_scan(g, value, plus<std::decay_t<T>>());
}

/// Each thread copies its share; nothing has an effect before `wait`.
template <class Group, class T, class S>
CUPEL_DEVICE void memcpy_async(const Group &g, T *to, const S *from, size_t bytes) {
  auto *target = reinterpret_cast<char *>(to);
  auto *source = reinterpret_cast<const char *>(from);
  const size_t piece = bytes % 16 == 0 ? 16 : bytes % 4 == 0 ? 4 : 1;
  for (size_t at = g.thread_rank() * piece; at < bytes; at += g.size() * piece)
    emu::copyAsync(target + at, source + at, piece, 0);
  emu::commitCopies();
}
template <class Group> CUPEL_DEVICE void wait(const Group &g) {
  emu::waitAllCopies();
  g.sync();
}
template <unsigned Stages, class Group> CUPEL_DEVICE void wait_prior(const Group &g) {
  emu::waitCopies(Stages);
  g.sync();
}

} // namespace cooperative_groups
