/// SIMD intrinsics: four bytes or two halves of a word at a time (CUDA Math API, "SIMD
/// Intrinsics"), and sums of products of their parts.
#pragma once

#include "cupel/emulate/Intrinsics.h"

#include <type_traits>

namespace cupel::emu::simd {

/// What F makes of each part of the words, which is a T; the result is cut to the part.
template <class T, class F, class... W> CUPEL_DEVICE unsigned each(F Function, W... Words) {
  constexpr int Bits = 8 * sizeof(T);
  constexpr unsigned Mask = (1u << Bits) - 1;
  unsigned Result = 0;
  for (int At = 0; At < 32; At += Bits)
    Result |=
        (static_cast<unsigned>(Function(static_cast<int>(static_cast<T>(Words >> At))...)) & Mask)
        << At;
  return Result;
}
template <class T> CUPEL_DEVICE int saturated(int Value) {
  constexpr int Least = std::numeric_limits<T>::min(), Most = std::numeric_limits<T>::max();
  return Value < Least ? Least : Value > Most ? Most : Value;
}
template <class T> CUPEL_DEVICE unsigned sumOfDifferences(unsigned A, unsigned B) {
  unsigned Sum = 0;
  for (unsigned At = 0; At < 32; At += 8 * sizeof(T)) {
    const int X = static_cast<T>(A >> At), Y = static_cast<T>(B >> At);
    Sum += X < Y ? Y - X : X - Y;
  }
  return Sum;
}

} // namespace cupel::emu::simd

// S and U: the signed and the unsigned type of a part.
#define CUPEL_SIMD_1(NAME, T, EXPRESSION)                                                          \
  CUPEL_DEVICE unsigned NAME(unsigned a) {                                                         \
    return cupel::emu::simd::each<T>([](int x) { return EXPRESSION; }, a);                         \
  }
#define CUPEL_SIMD_2(NAME, T, EXPRESSION)                                                          \
  CUPEL_DEVICE unsigned NAME(unsigned a, unsigned b) {                                             \
    return cupel::emu::simd::each<T>([](int x, int y) { return EXPRESSION; }, a, b);               \
  }
#define CUPEL_SIMD_COMPARE(N, NAME, T, OPERATOR)                                                   \
  CUPEL_SIMD_2(__vcmp##NAME##N, T, x OPERATOR y ? -1 : 0)                                          \
  CUPEL_SIMD_2(__vset##NAME##N, T, x OPERATOR y ? 1 : 0)
#define CUPEL_SIMD(N, S, U)                                                                        \
  CUPEL_SIMD_1(__vabs##N, S, x < 0 ? -x : x)                                                       \
  CUPEL_SIMD_1(__vabsss##N, S, cupel::emu::simd::saturated<S>(x < 0 ? -x : x))                     \
  CUPEL_SIMD_1(__vneg##N, S, -x)                                                                   \
  CUPEL_SIMD_1(__vnegss##N, S, cupel::emu::simd::saturated<S>(-x))                                 \
  CUPEL_SIMD_2(__vadd##N, U, x + y)                                                                \
  CUPEL_SIMD_2(__vaddss##N, S, cupel::emu::simd::saturated<S>(x + y))                              \
  CUPEL_SIMD_2(__vaddus##N, U, cupel::emu::simd::saturated<U>(x + y))                              \
  CUPEL_SIMD_2(__vsub##N, U, x - y)                                                                \
  CUPEL_SIMD_2(__vsubss##N, S, cupel::emu::simd::saturated<S>(x - y))                              \
  CUPEL_SIMD_2(__vsubus##N, U, cupel::emu::simd::saturated<U>(x - y))                              \
  CUPEL_SIMD_2(__vabsdiffs##N, S, x < y ? y - x : x - y)                                           \
  CUPEL_SIMD_2(__vabsdiffu##N, U, x < y ? y - x : x - y)                                           \
  /* Rounded: the signed away from zero (PTX: vavrg), the unsigned up. */                          \
  CUPEL_SIMD_2(__vavgs##N, S, (x + y + (x + y > 0)) >> 1)                                          \
  CUPEL_SIMD_2(__vavgu##N, U, (x + y + 1) >> 1)                                                    \
  CUPEL_SIMD_2(__vhaddu##N, U, (x + y) >> 1)                                                       \
  CUPEL_SIMD_2(__vmaxs##N, S, x > y ? x : y)                                                       \
  CUPEL_SIMD_2(__vmaxu##N, U, x > y ? x : y)                                                       \
  CUPEL_SIMD_2(__vmins##N, S, x < y ? x : y)                                                       \
  CUPEL_SIMD_2(__vminu##N, U, x < y ? x : y)                                                       \
  CUPEL_DEVICE unsigned __vsads##N(unsigned a, unsigned b) {                                       \
    return cupel::emu::simd::sumOfDifferences<S>(a, b);                                            \
  }                                                                                                \
  CUPEL_DEVICE unsigned __vsadu##N(unsigned a, unsigned b) {                                       \
    return cupel::emu::simd::sumOfDifferences<U>(a, b);                                            \
  }                                                                                                \
  CUPEL_SIMD_COMPARE(N, eq, U, ==)                                                                 \
  CUPEL_SIMD_COMPARE(N, ne, U, !=)                                                                 \
  CUPEL_SIMD_COMPARE(N, ges, S, >=)                                                                \
  CUPEL_SIMD_COMPARE(N, geu, U, >=)                                                                \
  CUPEL_SIMD_COMPARE(N, gts, S, >)                                                                 \
  CUPEL_SIMD_COMPARE(N, gtu, U, >)                                                                 \
  CUPEL_SIMD_COMPARE(N, les, S, <=)                                                                \
  CUPEL_SIMD_COMPARE(N, leu, U, <=)                                                                \
  CUPEL_SIMD_COMPARE(N, lts, S, <)                                                                 \
  CUPEL_SIMD_COMPARE(N, ltu, U, <)
CUPEL_SIMD(4, signed char, unsigned char)
CUPEL_SIMD(2, short, unsigned short)
#undef CUPEL_SIMD
#undef CUPEL_SIMD_COMPARE
#undef CUPEL_SIMD_2
#undef CUPEL_SIMD_1

// Of numbers of 32 bits and their halves: the DPX functions.
#define CUPEL_DPX(OP, COMPARE)                                                                     \
  CUPEL_DEVICE int __vi##OP##_s32_relu(int a, int b) {                                             \
    const int r = a COMPARE b ? a : b;                                                             \
    return r < 0 ? 0 : r;                                                                          \
  }                                                                                                \
  CUPEL_DEVICE int __vi##OP##3_s32(int a, int b, int c) {                                          \
    const int r = a COMPARE b ? a : b;                                                             \
    return r COMPARE c ? r : c;                                                                    \
  }                                                                                                \
  CUPEL_DEVICE unsigned __vi##OP##3_u32(unsigned a, unsigned b, unsigned c) {                      \
    const unsigned r = a COMPARE b ? a : b;                                                        \
    return r COMPARE c ? r : c;                                                                    \
  }                                                                                                \
  CUPEL_DEVICE int __vi##OP##3_s32_relu(int a, int b, int c) {                                     \
    return __vi##OP##_s32_relu(a COMPARE b ? a : b, c);                                            \
  }                                                                                                \
  CUPEL_DEVICE int __vib##OP##_s32(int a, int b, bool *first) {                                    \
    *first = a COMPARE## = b;                                                                      \
    return *first ? a : b;                                                                         \
  }                                                                                                \
  CUPEL_DEVICE unsigned __vib##OP##_u32(unsigned a, unsigned b, bool *first) {                     \
    *first = a COMPARE## = b;                                                                      \
    return *first ? a : b;                                                                         \
  }                                                                                                \
  CUPEL_DEVICE int __viadd##OP##_s32(int a, int b, int c) {                                        \
    const int sum = static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));         \
    return sum COMPARE c ? sum : c;                                                                \
  }                                                                                                \
  CUPEL_DEVICE unsigned __viadd##OP##_u32(unsigned a, unsigned b, unsigned c) {                    \
    return a + b COMPARE c ? a + b : c;                                                            \
  }                                                                                                \
  CUPEL_DEVICE int __viadd##OP##_s32_relu(int a, int b, int c) {                                   \
    const int r = __viadd##OP##_s32(a, b, c);                                                      \
    return r < 0 ? 0 : r;                                                                          \
  }
CUPEL_DPX(max, >)
CUPEL_DPX(min, <)
#undef CUPEL_DPX

namespace cupel::emu {
/// c + the products of the halves of A with two bytes of B, from the byte First on.
template <class H, class B>
CUPEL_DEVICE int dotOfHalves(unsigned A, unsigned Bytes, int First, int C) {
  for (int I = 0; I < 2; ++I)
    C += static_cast<int>(static_cast<H>(A >> 16 * I)) * static_cast<B>(Bytes >> 8 * (First + I));
  return C;
}
} // namespace cupel::emu

CUPEL_DEVICE int __dp4a(char4 a, char4 b, int c) {
  return cupel::emu::dot<4, true, true>(__builtin_bit_cast(unsigned, a),
                                        __builtin_bit_cast(unsigned, b), c);
}
CUPEL_DEVICE unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return cupel::emu::dot<4, false, false>(__builtin_bit_cast(unsigned, a),
                                          __builtin_bit_cast(unsigned, b), c);
}
CUPEL_DEVICE int __dp2a_lo(int a, int b, int c) {
  return cupel::emu::dotOfHalves<short, signed char>(a, b, 0, c);
}
CUPEL_DEVICE int __dp2a_hi(int a, int b, int c) {
  return cupel::emu::dotOfHalves<short, signed char>(a, b, 2, c);
}
CUPEL_DEVICE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
  return cupel::emu::dotOfHalves<unsigned short, unsigned char>(a, b, 0, c);
}
CUPEL_DEVICE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) {
  return cupel::emu::dotOfHalves<unsigned short, unsigned char>(a, b, 2, c);
}
CUPEL_DEVICE int __dp2a_lo(short2 a, char4 b, int c) {
  return __dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
CUPEL_DEVICE int __dp2a_hi(short2 a, char4 b, int c) {
  return __dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
CUPEL_DEVICE unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
  return __dp2a_lo(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
CUPEL_DEVICE unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
  return __dp2a_hi(__builtin_bit_cast(unsigned, a), __builtin_bit_cast(unsigned, b), c);
}
