/// Arithmetic, logic and comparison (PTX ISA 9.7.1 to 9.7.8).
#pragma once

#include "cupel/emulate/ptx/Registers.h"

#include <bit>
#include <cmath>

namespace cupel::emu::ptx {

#define CUPEL_PTX_UNARY(NAME, EXPRESSION)                                                          \
  template <class T, class D, class A> CUPEL_DEVICE void NAME##_(D &d, A a) {                      \
    put(d, compute<T>([](auto x) { return EXPRESSION; }, a));                                      \
  }
#define CUPEL_PTX_BINARY(NAME, EXPRESSION)                                                         \
  template <class T, class D, class A, class B> CUPEL_DEVICE void NAME##_(D &d, A a, B b) {        \
    put(d, compute<T>([](auto x, auto y) { return EXPRESSION; }, a, b));                           \
  }
CUPEL_PTX_UNARY(abs, x < 0 ? -x : x)
CUPEL_PTX_UNARY(neg, -x)
CUPEL_PTX_UNARY(not, static_cast<decltype(x)>(std::is_same_v<decltype(x), bool> ? !x : ~x))
CUPEL_PTX_UNARY(ex2, std::exp2(x))
CUPEL_PTX_UNARY(lg2, std::log2(x))
CUPEL_PTX_UNARY(rcp, 1 / x)
CUPEL_PTX_UNARY(sqrt, std::sqrt(x))
CUPEL_PTX_UNARY(rsqrt, 1 / std::sqrt(x))
CUPEL_PTX_UNARY(sin, std::sin(x))
CUPEL_PTX_UNARY(cos, std::cos(x))
CUPEL_PTX_UNARY(tanh, std::tanh(x))
CUPEL_PTX_BINARY(add, x + y)
CUPEL_PTX_BINARY(sub, x - y)
CUPEL_PTX_BINARY(mul, x *y)
CUPEL_PTX_BINARY(mul_lo, x *y)
CUPEL_PTX_BINARY(div, x / y)
CUPEL_PTX_BINARY(rem, x % y)
CUPEL_PTX_BINARY(min, y < x || x != x ? y : x)
CUPEL_PTX_BINARY(max, x < y || x != x ? y : x)
CUPEL_PTX_BINARY(and, x &y)
CUPEL_PTX_BINARY(or, x | y)
CUPEL_PTX_BINARY(xor, x ^ y)
#undef CUPEL_PTX_UNARY
#undef CUPEL_PTX_BINARY

template <class T> struct Twice;
template <> struct Twice<int16_t> {
  using Type = int32_t;
};
template <> struct Twice<uint16_t> {
  using Type = uint32_t;
};
template <> struct Twice<int32_t> {
  using Type = int64_t;
};
template <> struct Twice<uint32_t> {
  using Type = uint64_t;
};
template <> struct Twice<int64_t> {
  using Type = __int128;
};
template <> struct Twice<uint64_t> {
  using Type = unsigned __int128;
};
template <class T, class A, class B> CUPEL_DEVICE auto product(A a, B b) {
  using W = typename Twice<T>::Type;
  return static_cast<W>(as<T>(a)) * static_cast<W>(as<T>(b));
}
template <class T, class D, class A, class B> CUPEL_DEVICE void mul_wide_(D &d, A a, B b) {
  put(d, product<T>(a, b));
}
template <class T, class D, class A, class B> CUPEL_DEVICE void mul_hi_(D &d, A a, B b) {
  put(d, static_cast<T>(product<T>(a, b) >> (8 * sizeof(T))));
}
template <class T, class D, class A, class B, class C>
CUPEL_DEVICE void mad_lo_(D &d, A a, B b, C c) {
  put(d, static_cast<T>(as<T>(a) * as<T>(b) + as<T>(c)));
}
template <class T, class D, class A, class B, class C>
CUPEL_DEVICE void mad_hi_(D &d, A a, B b, C c) {
  put(d, static_cast<T>(static_cast<T>(product<T>(a, b) >> (8 * sizeof(T))) + as<T>(c)));
}
template <class T, class D, class A, class B, class C>
CUPEL_DEVICE void mad_wide_(D &d, A a, B b, C c) {
  put(d, product<T>(a, b) + as<typename Twice<T>::Type>(c));
}
template <class T, class D, class A, class B, class C> CUPEL_DEVICE void mad_(D &d, A a, B b, C c) {
  put(d, compute<T>([](auto x, auto y, auto z) { return std::fma(x, y, z); }, a, b, c));
}
template <class T, class D, class A, class B, class C> CUPEL_DEVICE void fma_(D &d, A a, B b, C c) {
  // For half precision in double: a float's fma is rounded twice.
  put(d, compute<T>([](auto x, auto y, auto z) { return std::fma(x, y, z); }, a, b, c));
}
template <class T, class D, class A, class B, class C>
CUPEL_DEVICE void fma_relu_(D &d, A a, B b, C c) {
  put(d, compute<T>(
             [](auto x, auto y, auto z) {
               auto r = std::fma(x, y, z);
               return r < 0 ? decltype(r)(0) : r;
             },
             a, b, c));
}
template <class T, class D, class A, class B> CUPEL_DEVICE void shl_(D &d, A a, B b) {
  put(d, as<uint32_t>(b) >= 8 * sizeof(T) ? T(0) : static_cast<T>(as<T>(a) << as<uint32_t>(b)));
}
template <class T, class D, class A, class B> CUPEL_DEVICE void shr_(D &d, A a, B b) {
  uint32_t n = as<uint32_t>(b), Last = 8 * sizeof(T) - 1;
  T x = as<T>(a);
  put(d,
      n > Last ? (std::is_signed_v<T> ? static_cast<T>(x >> Last) : T(0)) : static_cast<T>(x >> n));
}
template <class T, class D, class A, class B, class C, class L>
CUPEL_DEVICE void lop3_(D &d, A a, B b, C c, L lut) {
  uint32_t x = as<uint32_t>(a), y = as<uint32_t>(b), z = as<uint32_t>(c), r = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (as<uint32_t>(lut) >> i & 1)
      r |= (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
  put(d, r);
}
template <class T, class D, class A, class B, class C>
CUPEL_DEVICE void prmt_(D &d, A a, B b, C c) {
  uint64_t Bytes = uint64_t(as<uint32_t>(b)) << 32 | as<uint32_t>(a);
  uint32_t Select = as<uint32_t>(c), r = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned s = Select >> (4 * i) & 15;
    uint32_t Byte = Bytes >> (8 * (s & 7)) & 255;
    if (s & 8)
      Byte = Byte & 128 ? 255 : 0;
    r |= Byte << (8 * i);
  }
  put(d, r);
}
template <class T, class D, class A, class B, class C> CUPEL_DEVICE void bfe_(D &d, A a, B b, C c) {
  unsigned Position = as<uint32_t>(b) & 255, Length = as<uint32_t>(c) & 255, Size = 8 * sizeof(T);
  T x = as<T>(a);
  bool Sign = std::is_signed_v<T> && Length &&
              (x >> (Position + Length - 1 < Size ? Position + Length - 1 : Size - 1) & 1);
  T r = Sign ? T(-1) : T(0);
  for (unsigned i = 0; i < Length && i < Size; ++i) {
    unsigned From = Position + i;
    bool Bit = From < Size ? bool(x >> From & 1) : Sign;
    r = static_cast<T>((r & ~(T(1) << i)) | (T(Bit) << i));
  }
  put(d, r);
}
template <class T, class D, class A, class B, class C, class E>
CUPEL_DEVICE void bfi_(D &d, A a, B b, C c, E e) {
  unsigned Position = as<uint32_t>(c) & 255, Length = as<uint32_t>(e) & 255, Size = 8 * sizeof(T);
  T From = as<T>(a), r = as<T>(b);
  for (unsigned i = 0; i < Length && Position + i < Size; ++i)
    r = (r & ~(T(1) << (Position + i))) | ((From >> i & 1) << (Position + i));
  put(d, r);
}
template <class T, class D, class A> CUPEL_DEVICE void brev_(D &d, A a) {
  T x = as<T>(a), r = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i)
    r |= (x >> i & 1) << (8 * sizeof(T) - 1 - i);
  put(d, r);
}
template <class T, class D, class A> CUPEL_DEVICE void popc_(D &d, A a) {
  put(d, uint32_t(std::popcount(as<T>(a))));
}
template <class T, class D, class A> CUPEL_DEVICE void clz_(D &d, A a) {
  put(d, uint32_t(std::countl_zero(as<T>(a))));
}
template <class T, class D, class A, class B, class P>
CUPEL_DEVICE void selp_(D &d, A a, B b, P p) {
  put(d, p ? as<Register<T>>(a) : as<Register<T>>(b));
}
#define CUPEL_PTX_COMPARE(NAME, OPERATOR)                                                          \
  template <class T, class P, class A, class B> CUPEL_DEVICE void setp_##NAME##_(P &p, A a, B b) { \
    if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>)                               \
      p = wide(T{as<uint16_t>(a)}) OPERATOR wide(T{as<uint16_t>(b)});                              \
    else                                                                                           \
      p = as<T>(a) OPERATOR as<T>(b);                                                              \
  }
CUPEL_PTX_COMPARE(eq, ==)
CUPEL_PTX_COMPARE(ne, !=)
CUPEL_PTX_COMPARE(lt, <)
CUPEL_PTX_COMPARE(le, <=)
CUPEL_PTX_COMPARE(gt, >)
CUPEL_PTX_COMPARE(ge, >=)
CUPEL_PTX_COMPARE(lo, <)
CUPEL_PTX_COMPARE(ls, <=)
CUPEL_PTX_COMPARE(hi, >)
CUPEL_PTX_COMPARE(hs, >=)
#undef CUPEL_PTX_COMPARE

} // namespace cupel::emu::ptx
