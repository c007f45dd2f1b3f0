/// Atomic functions. Blocks run on several threads of the host, so all use the host's own atomics;
/// an operation that the host lacks is a loop of compare-and-swap on the bits.
#pragma once

#include "cupel/emulate/Runtime.h"
#include "cupel/emulate/Words.h"

#include <type_traits>

namespace cupel::emu {

template <size_t Size> struct BitsOf;
template <> struct BitsOf<2> {
  using type = unsigned short;
};
template <> struct BitsOf<4> {
  using type = unsigned;
};
template <> struct BitsOf<8> {
  using type = unsigned long long;
};
template <> struct BitsOf<16> {
  using type = unsigned __int128;
};

/// Replaces *Address by Next(*Address) at once; returns the old value. Memory is touched in the
/// library, where the compiler takes no part of it for a plain access.
template <class T, class F> CUPEL_DEVICE T atomicUpdate(T *Address, F Next) {
  using Bits = typename BitsOf<sizeof(T)>::type;
  auto *At = reinterpret_cast<Bits *>(const_cast<std::remove_volatile_t<T> *>(Address));
  Bits Old = atomicLoad(At);
  for (;;) {
    // Copied byte by byte: CUDA's pairs of halves have constructors of their own.
    T Value;
    __builtin_memcpy(static_cast<void *>(&Value), &Old, sizeof(T));
    const T Changed = Next(Value);
    Bits New;
    __builtin_memcpy(&New, &Changed, sizeof(T));
    const Bits Seen = atomicSwap(At, Old, New);
    if (Seen == Old)
      return Value;
    Old = Seen;
  }
}

} // namespace cupel::emu

#define CUPEL_ATOMIC(NAME, T, EXPRESSION)                                                          \
  CUPEL_DEVICE T NAME(T *a, T v) {                                                                 \
    return cupel::emu::atomicUpdate(                                                               \
        a, [v](T old) __attribute__((always_inline, nodebug)) -> T { return EXPRESSION; });        \
  }                                                                                                \
  CUPEL_DEVICE T NAME##_block(T *a, T v) { return NAME(a, v); }                                    \
  CUPEL_DEVICE T NAME##_system(T *a, T v) { return NAME(a, v); }

#define CUPEL_ATOMIC_INTEGER(T)                                                                    \
  CUPEL_ATOMIC(atomicAdd, T, static_cast<T>(old + v))                                              \
  CUPEL_ATOMIC(atomicSub, T, static_cast<T>(old - v))                                              \
  CUPEL_ATOMIC(atomicExch, T, v)                                                                   \
  CUPEL_ATOMIC(atomicMin, T, v < old ? v : old)                                                    \
  CUPEL_ATOMIC(atomicMax, T, v > old ? v : old)                                                    \
  CUPEL_ATOMIC(atomicAnd, T, old &v)                                                               \
  CUPEL_ATOMIC(atomicOr, T, old | v)                                                               \
  CUPEL_ATOMIC(atomicXor, T, old ^ v)
CUPEL_ATOMIC_INTEGER(int)
CUPEL_ATOMIC_INTEGER(unsigned)
CUPEL_ATOMIC_INTEGER(unsigned long long)
CUPEL_ATOMIC(atomicMin, long long, v < old ? v : old)
CUPEL_ATOMIC(atomicMax, long long, v > old ? v : old)
CUPEL_ATOMIC(atomicAnd, long long, old &v)
CUPEL_ATOMIC(atomicOr, long long, old | v)
CUPEL_ATOMIC(atomicXor, long long, old ^ v)
CUPEL_ATOMIC(atomicInc, unsigned, old >= v ? 0 : old + 1)
CUPEL_ATOMIC(atomicDec, unsigned, old == 0 || old > v ? v : old - 1)
CUPEL_ATOMIC(atomicAdd, float, old + v)
CUPEL_ATOMIC(atomicAdd, double, old + v)
CUPEL_ATOMIC(atomicExch, float, v)
CUPEL_ATOMIC(atomicAdd, float2, (float2{old.x + v.x, old.y + v.y}))

CUPEL_DEVICE float4 atomicAdd(float4 *a, float4 v) { // Each component by itself, says the guide.
  return {atomicAdd(&a->x, v.x), atomicAdd(&a->y, v.y), atomicAdd(&a->z, v.z),
          atomicAdd(&a->w, v.w)};
}

#define CUPEL_CAS(T)                                                                               \
  CUPEL_DEVICE T atomicCAS(T *a, T expected, T v) {                                                \
    return cupel::emu::atomicUpdate(a, [=](T old) __attribute__((always_inline, nodebug)) -> T {   \
      return old == expected ? v : old;                                                            \
    });                                                                                            \
  }                                                                                                \
  CUPEL_DEVICE T atomicCAS_block(T *a, T e, T v) { return atomicCAS(a, e, v); }                    \
  CUPEL_DEVICE T atomicCAS_system(T *a, T e, T v) { return atomicCAS(a, e, v); }
CUPEL_CAS(int)
CUPEL_CAS(unsigned)
CUPEL_CAS(unsigned short)
CUPEL_CAS(unsigned long long)
#undef CUPEL_CAS
