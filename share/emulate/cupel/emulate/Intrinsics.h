/// Integer and bit intrinsics, reinterpretation, conversion with a rounding mode, and the
/// arithmetic of one float operation that the compiler may not fuse.
#pragma once

#include "cupel/emulate/Words.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

CUPEL_DEVICE int __float_as_int(float v) { return std::bit_cast<int>(v); }
CUPEL_DEVICE unsigned __float_as_uint(float v) { return std::bit_cast<unsigned>(v); }
CUPEL_DEVICE float __int_as_float(int v) { return std::bit_cast<float>(v); }
CUPEL_DEVICE float __uint_as_float(unsigned v) { return std::bit_cast<float>(v); }
CUPEL_DEVICE long long __double_as_longlong(double v) { return std::bit_cast<long long>(v); }
CUPEL_DEVICE double __longlong_as_double(long long v) { return std::bit_cast<double>(v); }
CUPEL_DEVICE int __double2hiint(double v) { return std::bit_cast<long long>(v) >> 32; }
CUPEL_DEVICE int __double2loint(double v) { return static_cast<int>(std::bit_cast<long long>(v)); }
CUPEL_DEVICE double __hiloint2double(int hi, int lo) {
  return std::bit_cast<double>(static_cast<long long>(hi) << 32 | static_cast<unsigned>(lo));
}

CUPEL_DEVICE int __popc(unsigned v) { return __builtin_popcount(v); }
CUPEL_DEVICE int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
CUPEL_DEVICE int __clz(int v) { return std::countl_zero(static_cast<unsigned>(v)); }
CUPEL_DEVICE int __clzll(long long v) {
  return std::countl_zero(static_cast<unsigned long long>(v));
}
CUPEL_DEVICE int __ffs(int v) { return __builtin_ffs(v); }
CUPEL_DEVICE int __ffsll(long long v) { return __builtin_ffsll(v); }
CUPEL_DEVICE unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
CUPEL_DEVICE unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
CUPEL_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0)
    return mask >> base & 1 ? base : 0xffffffffu;
  for (int at = static_cast<int>(base), step = offset > 0 ? 1 : -1, left = offset * step;
       at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && --left == 0)
      return at;
  return 0xffffffffu;
}

CUPEL_DEVICE int __mulhi(int a, int b) { return static_cast<long long>(a) * b >> 32; }
CUPEL_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned long long>(a) * b >> 32;
}
CUPEL_DEVICE long long __mul64hi(long long a, long long b) {
  return static_cast<__int128>(a) * b >> 64;
}
CUPEL_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned __int128>(a) * b >> 64;
}
CUPEL_DEVICE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
CUPEL_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
CUPEL_DEVICE int __hadd(int a, int b) { return (static_cast<long long>(a) + b) >> 1; }
CUPEL_DEVICE int __rhadd(int a, int b) { return (static_cast<long long>(a) + b + 1) >> 1; }
CUPEL_DEVICE unsigned __uhadd(unsigned a, unsigned b) {
  return (static_cast<unsigned long long>(a) + b) >> 1;
}
CUPEL_DEVICE unsigned __sad(int a, int b, unsigned c) {
  return c + static_cast<unsigned>(a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                                         : static_cast<unsigned>(b) - static_cast<unsigned>(a));
}
CUPEL_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return c + (a > b ? a - b : b - a);
}

CUPEL_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  const unsigned long long all = static_cast<unsigned long long>(b) << 32 | a;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i)
    r |= static_cast<unsigned>(all >> ((s >> 4 * i & 7) * 8) & 255) << 8 * i;
  return r;
}
CUPEL_DEVICE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) {
  return (static_cast<unsigned long long>(hi) << 32 | lo) << (s & 31) >> 32;
}
CUPEL_DEVICE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) {
  return (static_cast<unsigned long long>(hi) << 32 | lo) >> (s & 31);
}
CUPEL_DEVICE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s) {
  return s >= 32 ? lo : __funnelshift_l(lo, hi, s);
}
CUPEL_DEVICE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s) {
  return s >= 32 ? hi : __funnelshift_r(lo, hi, s);
}

namespace cupel::emu {
template <int Bytes, bool SignedA, bool SignedB>
CUPEL_DEVICE int dot(unsigned A, unsigned B, int C) {
  for (int I = 0; I < 4; ++I) {
    const int X =
        SignedA ? static_cast<signed char>(A >> 8 * I) : static_cast<int>(A >> 8 * I & 255);
    const int Y =
        SignedB ? static_cast<signed char>(B >> 8 * I) : static_cast<int>(B >> 8 * I & 255);
    C += X * Y;
  }
  return C;
}

/// Float to integer with the result in range at the ends and 0 for NaN, as the GPU's cvt.
template <class To, class From> CUPEL_DEVICE To toInteger(From Value) {
  if (Value != Value)
    return 0;
  if (Value >= static_cast<From>(std::numeric_limits<To>::max()))
    return std::numeric_limits<To>::max();
  if (Value <= static_cast<From>(std::numeric_limits<To>::min()))
    return std::numeric_limits<To>::min();
  return static_cast<To>(Value);
}

/// To float towards zero, down or up: one step from the nearest where that went the other way.
template <class To, class From> CUPEL_DEVICE To roundTo(From Value, int Mode) {
  const To Nearest = static_cast<To>(Value);
  const long double Exact = static_cast<long double>(Value), Got = Nearest;
  const To Infinity = std::numeric_limits<To>::infinity();
  const bool TooHigh = Got > Exact, TooLow = Got < Exact;
  if (TooHigh && (Mode == FE_DOWNWARD || (Mode == FE_TOWARDZERO && Exact > 0)))
    return std::nextafter(Nearest, -Infinity);
  if (TooLow && (Mode == FE_UPWARD || (Mode == FE_TOWARDZERO && Exact < 0)))
    return std::nextafter(Nearest, Infinity);
  return Nearest;
}
} // namespace cupel::emu

CUPEL_DEVICE int __dp4a(int a, int b, int c) { return cupel::emu::dot<4, true, true>(a, b, c); }
CUPEL_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  return cupel::emu::dot<4, false, false>(a, b, c);
}

#define CUPEL_TO_INTEGER(NAME, TO, FROM)                                                           \
  CUPEL_DEVICE TO NAME##_rn(FROM v) { return cupel::emu::toInteger<TO>(std::nearbyint(v)); }       \
  CUPEL_DEVICE TO NAME##_rz(FROM v) { return cupel::emu::toInteger<TO>(std::trunc(v)); }           \
  CUPEL_DEVICE TO NAME##_rd(FROM v) { return cupel::emu::toInteger<TO>(std::floor(v)); }           \
  CUPEL_DEVICE TO NAME##_ru(FROM v) { return cupel::emu::toInteger<TO>(std::ceil(v)); }
CUPEL_TO_INTEGER(__float2int, int, float)
CUPEL_TO_INTEGER(__float2uint, unsigned, float)
CUPEL_TO_INTEGER(__float2ll, long long, float)
CUPEL_TO_INTEGER(__float2ull, unsigned long long, float)
CUPEL_TO_INTEGER(__double2int, int, double)
CUPEL_TO_INTEGER(__double2uint, unsigned, double)
CUPEL_TO_INTEGER(__double2ll, long long, double)
CUPEL_TO_INTEGER(__double2ull, unsigned long long, double)
#undef CUPEL_TO_INTEGER

#define CUPEL_TO_FLOAT(NAME, TO, FROM)                                                             \
  CUPEL_DEVICE TO NAME##_rn(FROM v) { return static_cast<TO>(v); }                                 \
  CUPEL_DEVICE TO NAME##_rz(FROM v) { return cupel::emu::roundTo<TO>(v, FE_TOWARDZERO); }          \
  CUPEL_DEVICE TO NAME##_rd(FROM v) { return cupel::emu::roundTo<TO>(v, FE_DOWNWARD); }            \
  CUPEL_DEVICE TO NAME##_ru(FROM v) { return cupel::emu::roundTo<TO>(v, FE_UPWARD); }
CUPEL_TO_FLOAT(__int2float, float, int)
CUPEL_TO_FLOAT(__uint2float, float, unsigned)
CUPEL_TO_FLOAT(__ll2float, float, long long)
CUPEL_TO_FLOAT(__ull2float, float, unsigned long long)
CUPEL_TO_FLOAT(__ll2double, double, long long)
CUPEL_TO_FLOAT(__ull2double, double, unsigned long long)
CUPEL_TO_FLOAT(__double2float, float, double)
#undef CUPEL_TO_FLOAT
CUPEL_DEVICE double __int2double_rn(int v) { return v; }
CUPEL_DEVICE double __uint2double_rn(unsigned v) { return v; }

#define CUPEL_ARITHMETIC(PREFIX, T, WIDE, FMA, SQRT)                                               \
  CUPEL_DEVICE T PREFIX##add_rn(T a, T b) { return a + b; }                                        \
  CUPEL_DEVICE T PREFIX##sub_rn(T a, T b) { return a - b; }                                        \
  CUPEL_DEVICE T PREFIX##mul_rn(T a, T b) { return a * b; }                                        \
  CUPEL_DEVICE T PREFIX##div_rn(T a, T b) { return a / b; }                                        \
  CUPEL_DEVICE T PREFIX##rcp_rn(T a) { return T(1) / a; }                                          \
  CUPEL_DEVICE T PREFIX##sqrt_rn(T a) { return SQRT(a); }                                          \
  CUPEL_DEVICE T FMA##_rn(T a, T b, T c) { return std::fma(a, b, c); }                             \
  CUPEL_DEVICE T PREFIX##add_rz(T a, T b) {                                                        \
    return cupel::emu::roundTo<T>(WIDE(a) + b, FE_TOWARDZERO);                                     \
  }                                                                                                \
  CUPEL_DEVICE T PREFIX##add_rd(T a, T b) {                                                        \
    return cupel::emu::roundTo<T>(WIDE(a) + b, FE_DOWNWARD);                                       \
  }                                                                                                \
  CUPEL_DEVICE T PREFIX##add_ru(T a, T b) {                                                        \
    return cupel::emu::roundTo<T>(WIDE(a) + b, FE_UPWARD);                                         \
  }                                                                                                \
  CUPEL_DEVICE T PREFIX##mul_rz(T a, T b) {                                                        \
    return cupel::emu::roundTo<T>(WIDE(a) * b, FE_TOWARDZERO);                                     \
  }                                                                                                \
  CUPEL_DEVICE T PREFIX##mul_rd(T a, T b) {                                                        \
    return cupel::emu::roundTo<T>(WIDE(a) * b, FE_DOWNWARD);                                       \
  }                                                                                                \
  CUPEL_DEVICE T PREFIX##mul_ru(T a, T b) { return cupel::emu::roundTo<T>(WIDE(a) * b, FE_UPWARD); }
CUPEL_ARITHMETIC(__f, float, double, __fmaf, std::sqrt)
CUPEL_ARITHMETIC(__d, double, (long double), __fma, std::sqrt)
#undef CUPEL_ARITHMETIC
CUPEL_DEVICE float __fdividef(float a, float b) { return a / b; }
CUPEL_DEVICE float __frsqrt_rn(float a) { return 1.0f / std::sqrt(a); }
