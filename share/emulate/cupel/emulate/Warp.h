/// Shuffles, votes, matches and reductions of a warp. Values travel in words of 8 bytes.
#pragma once

#include "cupel/emulate/Runtime.h"
#include "cupel/emulate/Words.h"

#include <cstring>
#include <type_traits>

namespace cupel::emu {

template <class T> CUPEL_DEVICE uint64_t toWord(const T &Value) {
  static_assert(sizeof(T) <= 8);
  uint64_t Word = 0;
  __builtin_memcpy(&Word, &Value, sizeof(T));
  return Word;
}
template <class T> CUPEL_DEVICE T fromWord(uint64_t Word) {
  T Value;
  __builtin_memcpy(static_cast<void *>(&Value), &Word, sizeof(T));
  return Value;
}

template <class T> CUPEL_DEVICE T shuffleFrom(unsigned Mask, T Value, int Source) {
  return fromWord<T>(warpCollective(WarpOp::Shuffle, Mask, {toWord(Value), Source}).Value);
}

/// A value of any size, in words.
template <class T> CUPEL_DEVICE T shuffleAny(unsigned Mask, const T &Value, int Source) {
  uint64_t Words[(sizeof(T) + 7) / 8] = {};
  __builtin_memcpy(Words, static_cast<const void *>(&Value), sizeof(T));
  for (uint64_t &Word : Words)
    Word = shuffleFrom(Mask, Word, Source);
  T Result = Value;
  __builtin_memcpy(static_cast<void *>(&Result), Words, sizeof(T));
  return Result;
}

// Source lanes as the PTX manual gives them for shfl.sync, with a clamp from `Width`.
template <class T> CUPEL_DEVICE T shuffle(unsigned Mask, T Value, int Lane, int Width) {
  const int Own = static_cast<int>(laneId());
  return shuffleFrom(Mask, Value, (Own & ~(Width - 1)) | (Lane & (Width - 1)));
}
template <class T> CUPEL_DEVICE T shuffleUp(unsigned Mask, T Value, unsigned Delta, int Width) {
  const int Own = static_cast<int>(laneId()), First = Own & ~(Width - 1);
  const int From = Own - static_cast<int>(Delta);
  return shuffleFrom(Mask, Value, From < First ? Own : From);
}
template <class T> CUPEL_DEVICE T shuffleDown(unsigned Mask, T Value, unsigned Delta, int Width) {
  const int Own = static_cast<int>(laneId()), Last = Own | (Width - 1);
  const int From = Own + static_cast<int>(Delta);
  return shuffleFrom(Mask, Value, From > Last ? Own : From);
}
template <class T> CUPEL_DEVICE T shuffleXor(unsigned Mask, T Value, int Bits, int Width) {
  const int Own = static_cast<int>(laneId()), Last = Own | (Width - 1);
  const int From = Own ^ Bits;
  return shuffleFrom(Mask, Value, From > Last ? Own : From);
}

CUPEL_DEVICE uint64_t vote(WarpOp Op, unsigned Mask, bool Predicate) {
  return warpCollective(Op, Mask, {Predicate, 0}).Value;
}

} // namespace cupel::emu

#define CUPEL_SHUFFLES(T)                                                                          \
  CUPEL_DEVICE T __shfl_sync(unsigned m, T v, int lane, int w = 32) {                              \
    return cupel::emu::shuffle(m, v, lane, w);                                                     \
  }                                                                                                \
  CUPEL_DEVICE T __shfl_up_sync(unsigned m, T v, unsigned d, int w = 32) {                         \
    return cupel::emu::shuffleUp(m, v, d, w);                                                      \
  }                                                                                                \
  CUPEL_DEVICE T __shfl_down_sync(unsigned m, T v, unsigned d, int w = 32) {                       \
    return cupel::emu::shuffleDown(m, v, d, w);                                                    \
  }                                                                                                \
  CUPEL_DEVICE T __shfl_xor_sync(unsigned m, T v, int b, int w = 32) {                             \
    return cupel::emu::shuffleXor(m, v, b, w);                                                     \
  }
CUPEL_SHUFFLES(int)
CUPEL_SHUFFLES(unsigned)
CUPEL_SHUFFLES(long)
CUPEL_SHUFFLES(unsigned long)
CUPEL_SHUFFLES(long long)
CUPEL_SHUFFLES(unsigned long long)
CUPEL_SHUFFLES(float)
CUPEL_SHUFFLES(double)

CUPEL_DEVICE void __syncwarp(unsigned m = 0xffffffffu) {
  cupel::emu::warpCollective(cupel::emu::WarpOp::Sync, m, {});
}
CUPEL_DEVICE int __all_sync(unsigned m, int p) {
  return cupel::emu::vote(cupel::emu::WarpOp::All, m, p);
}
CUPEL_DEVICE int __any_sync(unsigned m, int p) {
  return cupel::emu::vote(cupel::emu::WarpOp::Any, m, p);
}
CUPEL_DEVICE int __uni_sync(unsigned m, int p) {
  return cupel::emu::vote(cupel::emu::WarpOp::Uni, m, p);
}
CUPEL_DEVICE unsigned __ballot_sync(unsigned m, int p) {
  return cupel::emu::vote(cupel::emu::WarpOp::Ballot, m, p);
}
CUPEL_DEVICE unsigned __activemask() { return cupel::emu::activeLanes(); }
CUPEL_DEVICE unsigned __lanemask_eq() { return 1u << cupel::emu::laneId(); }
CUPEL_DEVICE unsigned __lanemask_lt() { return (1u << cupel::emu::laneId()) - 1; }
CUPEL_DEVICE unsigned __lanemask_le() { return (2u << cupel::emu::laneId()) - 1; }
CUPEL_DEVICE unsigned __lanemask_gt() { return ~((2u << cupel::emu::laneId()) - 1); }
CUPEL_DEVICE unsigned __lanemask_ge() { return ~((1u << cupel::emu::laneId()) - 1); }

template <class T> CUPEL_DEVICE unsigned __match_any_sync(unsigned m, T v) {
  return cupel::emu::warpCollective(cupel::emu::WarpOp::MatchAny, m, {cupel::emu::toWord(v), 0})
      .Value;
}
template <class T> CUPEL_DEVICE unsigned __match_all_sync(unsigned m, T v, int *p) {
  const auto r =
      cupel::emu::warpCollective(cupel::emu::WarpOp::MatchAll, m, {cupel::emu::toWord(v), 0});
  *p = r.Flag;
  return r.Value;
}

#define CUPEL_REDUCE(NAME, T, OP)                                                                  \
  CUPEL_DEVICE T NAME(unsigned m, T v) {                                                           \
    return static_cast<T>(                                                                         \
        cupel::emu::warpCollective(cupel::emu::WarpOp::OP, m, {cupel::emu::toWord(v), 0}).Value);  \
  }
CUPEL_REDUCE(__reduce_add_sync, unsigned, AddU)
CUPEL_REDUCE(__reduce_add_sync, int, AddU)
CUPEL_REDUCE(__reduce_min_sync, unsigned, MinU)
CUPEL_REDUCE(__reduce_min_sync, int, MinS)
CUPEL_REDUCE(__reduce_max_sync, unsigned, MaxU)
CUPEL_REDUCE(__reduce_max_sync, int, MaxS)
CUPEL_REDUCE(__reduce_and_sync, unsigned, And)
CUPEL_REDUCE(__reduce_or_sync, unsigned, Or)
CUPEL_REDUCE(__reduce_xor_sync, unsigned, Xor)
#undef CUPEL_REDUCE
