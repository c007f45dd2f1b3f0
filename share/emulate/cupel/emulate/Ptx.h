/// Inline PTX: the rewriter (lib/Emulate/Ptx.cpp) turns each instruction into a call of a function
/// here. PTX ISA 9.0; names are those of its chapter 9, words that say nothing on a CPU left out.
#pragma once

#include "cupel/emulate/Device.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace cupel::emu::ptx {

using s8 = int8_t;
using u8 = uint8_t;
using b8 = uint8_t;
using s16 = int16_t;
using u16 = uint16_t;
using b16 = uint16_t;
using s32 = int32_t;
using u32 = uint32_t;
using b32 = uint32_t;
using s64 = int64_t;
using u64 = uint64_t;
using b64 = uint64_t;
using f32 = float;
using f64 = double;
using pred = bool;
struct f16 {
  uint16_t Bits;
};
struct bf16 {
  uint16_t Bits;
};
struct f16x2 {
  uint32_t Bits;
};
struct bf16x2 {
  uint32_t Bits;
};
struct tf32 {
  uint32_t Bits;
};

template <class T> struct RegisterOf {
  using Type = T;
};
template <> struct RegisterOf<f16> {
  using Type = uint16_t;
};
template <> struct RegisterOf<bf16> {
  using Type = uint16_t;
};
template <> struct RegisterOf<f16x2> {
  using Type = uint32_t;
};
template <> struct RegisterOf<bf16x2> {
  using Type = uint32_t;
};
template <> struct RegisterOf<tf32> {
  using Type = uint32_t;
};
template <class T> using Register = typename RegisterOf<T>::Type;

/// The bits of \p From as a \p To; of integers the value, cut or extended by its own sign.
template <class To, class From> CUPEL_DEVICE To as(From Value) {
  if constexpr (std::is_pointer_v<From>)
    return as<To>(reinterpret_cast<uintptr_t>(Value));
  else if constexpr (std::is_pointer_v<To>)
    return reinterpret_cast<To>(as<uintptr_t>(Value));
  else if constexpr (std::is_same_v<To, From>)
    return Value;
  else if constexpr (std::is_enum_v<From>)
    return as<To>(static_cast<std::underlying_type_t<From>>(Value));
  else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>)
    return static_cast<To>(Value);
  else if constexpr (sizeof(From) == sizeof(To))
    return __builtin_bit_cast(To, Value);
  else if constexpr (std::is_floating_point_v<From> && std::is_floating_point_v<To>)
    return static_cast<To>(Value);
  else {
    To Result{};
    __builtin_memcpy(&Result, &Value, sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From));
    return Result;
  }
}

template <class R, class V> CUPEL_DEVICE void load(R &To, const V &Value) {
  To = as<R>(static_cast<std::decay_t<V>>(Value));
}
template <class V, class R> CUPEL_DEVICE void store(V &To, R Value) { To = as<std::remove_cv_t<V>>(Value); }
CUPEL_DEVICE float bits(uint32_t Bits) { return as<float>(Bits); }

/// `{a, b}`: several registers that stand for one operand.
template <class... R> struct Group {
  std::tuple<R...> Parts;
};
template <class... R> CUPEL_DEVICE Group<R &&...> group(R &&...Parts) {
  return {std::forward_as_tuple(std::forward<R>(Parts)...)};
}
template <size_t I, class G> CUPEL_DEVICE auto &part(G &&From) { return std::get<I>(From.Parts); }
template <class G> inline constexpr bool IsGroup = false;
template <class... R> inline constexpr bool IsGroup<Group<R...>> = true;

template <class D, class V> CUPEL_DEVICE void put(D &To, V Value) { To = as<D>(Value); }

//===----------------------------------------------------------------------===//
// Half precision
//===----------------------------------------------------------------------===//

CUPEL_DEVICE float wide(f16 V) { return static_cast<float>(as<_Float16>(V.Bits)); }
CUPEL_DEVICE float wide(bf16 V) { return as<float>(uint32_t(V.Bits) << 16); }
CUPEL_DEVICE float wide(float V) { return V; }
CUPEL_DEVICE double wide(double V) { return V; }
template <class T> CUPEL_DEVICE T narrow(double V) {
  if constexpr (std::is_same_v<T, f16>) {
    return {as<uint16_t>(static_cast<_Float16>(static_cast<float>(V)))};
  } else if constexpr (std::is_same_v<T, bf16>) {
    uint32_t B = as<uint32_t>(static_cast<float>(V));
    if ((B & 0x7fffffff) > 0x7f800000)
      return {0x7fff};
    return {static_cast<uint16_t>((B + 0x7fff + ((B >> 16) & 1)) >> 16)};
  } else {
    return static_cast<T>(V);
  }
}
/// 10 bits of mantissa, rounded to nearest, ties away from zero (`cvt.rna.tf32.f32`).
CUPEL_DEVICE float toTf32(float V) { return as<float>((as<uint32_t>(V) + 0x1000u) & 0xffffe000u); }

/// Applies \p F to the values that registers hold as T, and gives a T.
template <class T, class F, class... A> CUPEL_DEVICE Register<T> compute(F Function, A... Arguments) {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) {
    return narrow<T>(Function(wide(T{as<uint16_t>(Arguments)})...)).Bits;
  } else if constexpr (std::is_same_v<T, f16x2> || std::is_same_v<T, bf16x2>) {
    using H = std::conditional_t<std::is_same_v<T, f16x2>, f16, bf16>;
    uint32_t Low = narrow<H>(Function(wide(H{uint16_t(as<uint32_t>(Arguments))})...)).Bits;
    uint32_t High = narrow<H>(Function(wide(H{uint16_t(as<uint32_t>(Arguments) >> 16)})...)).Bits;
    return High << 16 | Low;
  } else {
    return static_cast<T>(Function(as<T>(Arguments)...));
  }
}

//===----------------------------------------------------------------------===//
// Arithmetic and logic
//===----------------------------------------------------------------------===//

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
  put(d, compute<T>([](auto x, auto y, auto z) {
        auto r = std::fma(x, y, z);
        return r < 0 ? decltype(r)(0) : r;
      }, a, b, c));
}
template <class T, class D, class A, class B> CUPEL_DEVICE void shl_(D &d, A a, B b) {
  put(d, as<uint32_t>(b) >= 8 * sizeof(T) ? T(0) : static_cast<T>(as<T>(a) << as<uint32_t>(b)));
}
template <class T, class D, class A, class B> CUPEL_DEVICE void shr_(D &d, A a, B b) {
  uint32_t n = as<uint32_t>(b), Last = 8 * sizeof(T) - 1;
  T x = as<T>(a);
  put(d, n > Last ? (std::is_signed_v<T> ? static_cast<T>(x >> Last) : T(0))
                  : static_cast<T>(x >> n));
}
template <class T, class D, class A, class B, class C, class L>
CUPEL_DEVICE void lop3_(D &d, A a, B b, C c, L lut) {
  uint32_t x = as<uint32_t>(a), y = as<uint32_t>(b), z = as<uint32_t>(c), r = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (as<uint32_t>(lut) >> i & 1)
      r |= (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
  put(d, r);
}
template <class T, class D, class A, class B, class C> CUPEL_DEVICE void prmt_(D &d, A a, B b, C c) {
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

//===----------------------------------------------------------------------===//
// Moves and conversions
//===----------------------------------------------------------------------===//

template <class T, class D, class A> CUPEL_DEVICE void mov_(D &&d, A &&a) {
  using Wide = Register<T>;
  if constexpr (IsGroup<std::decay_t<A>>) { // Pack: the first part is the lowest.
    constexpr size_t N = std::tuple_size_v<decltype(a.Parts)>;
    uint64_t Bits = 0;
    size_t I = 0;
    constexpr size_t Size = 8 * sizeof(Wide) / N;
    std::apply([&](auto &...P) {
      ((Bits |= ([&] {
          uint64_t B = 0;
          auto V = P;
          __builtin_memcpy(&B, &V, Size / 8);
          return B;
        }() << (Size * I++))),
       ...);
    }, a.Parts);
    put(d, as<Wide>(Bits));
  } else if constexpr (IsGroup<std::decay_t<D>>) {
    constexpr size_t N = std::tuple_size_v<decltype(d.Parts)>;
    constexpr size_t Size = 8 * sizeof(Wide) / N;
    uint64_t Bits = 0;
    auto From = as<Wide>(a);
    __builtin_memcpy(&Bits, &From, sizeof(Wide));
    size_t I = 0;
    std::apply([&](auto &...P) {
      ((([&] {
         uint64_t B = Bits >> (Size * I++);
         if constexpr (Size < 64)
           B &= (uint64_t(1) << Size) - 1;
         __builtin_memcpy(&P, &B, sizeof(P));
       })()),
       ...);
    }, d.Parts);
  } else {
    put(d, as<Wide>(a));
  }
}

/// A value as T from a register, for cvt.
template <class T, class A> CUPEL_DEVICE auto valueOf(A a) {
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>)
    return wide(T{as<uint16_t>(a)});
  else if constexpr (std::is_same_v<T, tf32>)
    return as<float>(a);
  else
    return as<T>(a);
}
template <class To, class V> CUPEL_DEVICE Register<To> converted(V Value) {
  if constexpr (std::is_same_v<To, tf32>) {
    return as<uint32_t>(toTf32(static_cast<float>(Value)));
  } else if constexpr (std::is_same_v<To, f16> || std::is_same_v<To, bf16>) {
    return narrow<To>(Value).Bits;
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<V>) {
    if (Value != Value)
      return 0;
    constexpr double Least = static_cast<double>(std::numeric_limits<To>::min());
    constexpr double Most = static_cast<double>(std::numeric_limits<To>::max());
    if (Value <= Least)
      return std::numeric_limits<To>::min();
    if (Value >= Most)
      return std::numeric_limits<To>::max();
    return static_cast<To>(Value);
  } else {
    return static_cast<To>(Value);
  }
}
template <class To, class From, class D, class A> CUPEL_DEVICE void cvt_(D &d, A a) {
  put(d, converted<To>(valueOf<From>(a)));
}
/// Two floats in one register: the first operand is the upper half.
template <class To, class From, class D, class A, class B>
CUPEL_DEVICE void cvt_(D &d, A a, B b) {
  using H = std::conditional_t<std::is_same_v<To, f16x2>, f16, bf16>;
  put(d, uint32_t(narrow<H>(as<float>(a)).Bits) << 16 | narrow<H>(as<float>(b)).Bits);
}
#define CUPEL_PTX_ROUND(NAME, FUNCTION)                                                            \
  template <class To, class From, class D, class A> CUPEL_DEVICE void cvt_##NAME##_(D &d, A a) {   \
    put(d, converted<To>(FUNCTION(valueOf<From>(a))));                                             \
  }
CUPEL_PTX_ROUND(rzi, std::trunc)
CUPEL_PTX_ROUND(rni, std::nearbyint)
CUPEL_PTX_ROUND(rmi, std::floor)
CUPEL_PTX_ROUND(rpi, std::ceil)
#undef CUPEL_PTX_ROUND

template <class T, class D, class A> CUPEL_DEVICE void cvta_(D &d, A a) { put(d, as<uint64_t>(a)); }
template <class T, class D, class A> CUPEL_DEVICE void cvta_to_(D &d, A a) { put(d, as<uint64_t>(a)); }
template <class T, class D, class A> CUPEL_DEVICE void cvta_shared_(D &d, A a) {
  put(d, as<uint64_t>(sharedAddress(as<uint32_t>(a))));
}
template <class T, class D, class A> CUPEL_DEVICE void cvta_to_shared_(D &d, A a) {
  put(d, uint64_t(sharedOffset(as<const void *>(as<uint64_t>(a)))));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

template <class A> CUPEL_DEVICE void *sharedPointer(A Address) { return sharedAddress(as<uint32_t>(Address)); }
template <class A> CUPEL_DEVICE void *pointer(A Address) { return as<void *>(as<uint64_t>(Address)); }

/// A vector is one access, aligned to its size; the compiler checks none of ours.
template <class T, class D> CUPEL_DEVICE void loadFrom(const void *Address, D &&d) {
  if constexpr (IsGroup<std::decay_t<D>>) {
    constexpr size_t N = std::tuple_size_v<decltype(d.Parts)>;
    checkRead(Address, N * sizeof(T));
    size_t I = 0;
    std::apply([&](auto &...P) { (put(P, as<Register<T>>(static_cast<const volatile T *>(Address)[I++])), ...); },
               d.Parts);
  } else {
    checkRead(Address, sizeof(T));
    put(d, *static_cast<const volatile Register<T> *>(Address));
  }
}
template <class T, class V> CUPEL_DEVICE void storeTo(void *Address, V &&v) {
  if constexpr (IsGroup<std::decay_t<V>>) {
    constexpr size_t N = std::tuple_size_v<decltype(v.Parts)>;
    checkWrite(Address, N * sizeof(T));
    size_t I = 0;
    std::apply([&](auto &...P) { ((static_cast<volatile Register<T> *>(Address)[I++] = as<Register<T>>(P)), ...); },
               v.Parts);
  } else {
    checkWrite(Address, sizeof(T));
    *static_cast<volatile Register<T> *>(Address) = as<Register<T>>(v);
  }
}
// A cache policy may follow the operands.
template <class T, class D, class A, class... P> CUPEL_DEVICE void ld_(D &&d, A a, P...) {
  loadFrom<T>(pointer(a), d);
}
template <class T, class D, class A> CUPEL_DEVICE void ld_shared_(D &&d, A a) {
  loadFrom<T>(sharedPointer(a), d);
}
template <class T, class A, class V, class... P> CUPEL_DEVICE void st_(A a, V &&v, P...) {
  storeTo<T>(pointer(a), v);
}
template <class T, class A, class V> CUPEL_DEVICE void st_shared_(A a, V &&v) {
  storeTo<T>(sharedPointer(a), v);
}
template <class A> CUPEL_DEVICE void prefetch_(A) {}
template <class A> CUPEL_DEVICE void prefetchu_(A) {}
template <class T, class D, class... A> CUPEL_DEVICE void createpolicy_(D &d, A...) { d = 0; }

CUPEL_DEVICE void membar_() { __threadfence(); }
CUPEL_DEVICE void fence_() { __threadfence(); }

#define CUPEL_PTX_ATOMIC(NAME, FUNCTION)                                                           \
  template <class T, class D, class A, class V> CUPEL_DEVICE void atom_##NAME##_(D &d, A a, V v) { \
    put(d, FUNCTION(static_cast<T *>(pointer(a)), as<T>(v)));                                      \
  }                                                                                                \
  template <class T, class D, class A, class V>                                                    \
  CUPEL_DEVICE void atom_shared_##NAME##_(D &d, A a, V v) {                                        \
    put(d, FUNCTION(static_cast<T *>(sharedPointer(a)), as<T>(v)));                                \
  }                                                                                                \
  template <class T, class A, class V> CUPEL_DEVICE void red_##NAME##_(A a, V v) {                 \
    FUNCTION(static_cast<T *>(pointer(a)), as<T>(v));                                              \
  }                                                                                                \
  template <class T, class A, class V> CUPEL_DEVICE void red_shared_##NAME##_(A a, V v) {          \
    FUNCTION(static_cast<T *>(sharedPointer(a)), as<T>(v));                                        \
  }
/// CUDA's functions have `unsigned long long` where uint64_t is `unsigned long`.
template <class T> struct Word {
  using Type = T;
};
template <> struct Word<uint64_t> {
  using Type = unsigned long long;
};
template <> struct Word<int64_t> {
  using Type = long long;
};
#define CUPEL_PTX_CALL(FUNCTION)                                                                   \
  []<class Q>(Q *p, Q v) {                                                                         \
    using W = typename Word<Q>::Type;                                                              \
    return static_cast<Q>(FUNCTION(reinterpret_cast<W *>(p), static_cast<W>(v)));                  \
  }
CUPEL_PTX_ATOMIC(add, CUPEL_PTX_CALL(::atomicAdd))
CUPEL_PTX_ATOMIC(min, CUPEL_PTX_CALL(::atomicMin))
CUPEL_PTX_ATOMIC(max, CUPEL_PTX_CALL(::atomicMax))
CUPEL_PTX_ATOMIC(and, CUPEL_PTX_CALL(::atomicAnd))
CUPEL_PTX_ATOMIC(or, CUPEL_PTX_CALL(::atomicOr))
CUPEL_PTX_ATOMIC(xor, CUPEL_PTX_CALL(::atomicXor))
CUPEL_PTX_ATOMIC(exch, CUPEL_PTX_CALL(::atomicExch))
CUPEL_PTX_ATOMIC(inc, CUPEL_PTX_CALL(::atomicInc))
CUPEL_PTX_ATOMIC(dec, CUPEL_PTX_CALL(::atomicDec))
#undef CUPEL_PTX_ATOMIC
#undef CUPEL_PTX_CALL
template <class T, class D, class A, class C, class V>
CUPEL_DEVICE void atom_cas_(D &d, A a, C c, V v) {
  using W = typename Word<T>::Type;
  put(d, static_cast<T>(::atomicCAS(static_cast<W *>(pointer(a)), static_cast<W>(as<T>(c)),
                                    static_cast<W>(as<T>(v)))));
}

/// `cp.async [shared], [global], size, given;`: what is not given is zeros.
template <class D, class S, class N> CUPEL_DEVICE void cp_async_(D d, S s, N Size) {
  copyAsync(sharedPointer(d), pointer(s), as<uint32_t>(Size), 0);
}
template <class D, class S, class N, class G, class... P>
CUPEL_DEVICE void cp_async_(D d, S s, N Size, G Given, P...) {
  copyAsync(sharedPointer(d), pointer(s), as<uint32_t>(Given), as<uint32_t>(Size) - as<uint32_t>(Given));
}
CUPEL_DEVICE void cp_async_commit_group_() { commitCopies(); }
template <class N> CUPEL_DEVICE void cp_async_wait_group_(N Pending) { waitCopies(as<uint32_t>(Pending)); }
CUPEL_DEVICE void cp_async_wait_all_() { waitAllCopies(); }

//===----------------------------------------------------------------------===//
// The block and the warp
//===----------------------------------------------------------------------===//

template <class I> CUPEL_DEVICE void bar_sync_(I Id) { namedBarrier(as<uint32_t>(Id), 0, true); }
template <class I, class N> CUPEL_DEVICE void bar_sync_(I Id, N Threads) {
  namedBarrier(as<uint32_t>(Id), as<uint32_t>(Threads), true);
}
template <class I, class N> CUPEL_DEVICE void bar_arrive_(I Id, N Threads) {
  namedBarrier(as<uint32_t>(Id), as<uint32_t>(Threads), false);
}
template <class M> CUPEL_DEVICE void bar_warp_sync_(M Mask) { ::__syncwarp(as<uint32_t>(Mask)); }
template <class... A> CUPEL_DEVICE void barrier_sync_(A... a) { bar_sync_(a...); }
template <class... A> CUPEL_DEVICE void barrier_arrive_(A... a) { bar_arrive_(a...); }
template <class T, class N> CUPEL_DEVICE void nanosleep_(N) { yieldThread(); }
CUPEL_DEVICE void trap_() { ::__trap(); }
CUPEL_DEVICE void griddepcontrol_wait_() {}
CUPEL_DEVICE void griddepcontrol_launch_dependents_() {}

CUPEL_DEVICE uint64_t fromLane(unsigned Mask, uint64_t Value, int Lane) {
  WarpArguments Arguments;
  Arguments.Value = Value;
  Arguments.Source = Lane;
  return warpCollective(WarpOp::Shuffle, Mask, Arguments).Value;
}
/// PTX ISA, shfl.sync: the lane to read from, and whether it is in the segment.
template <class D, class A, class J>
CUPEL_DEVICE bool shuffle(D &d, A a, J Choose, uint32_t c, uint32_t Mask, bool Up) {
  uint32_t Lane = laneId(), Segment = c >> 8 & 31, Clamp = c & 31;
  uint32_t Most = (Lane & Segment) | (Clamp & ~Segment), Least = Lane & Segment;
  int j = Choose(int(Lane), int(Least), int(Segment));
  bool Good = Up ? j >= int(Most) : j <= int(Most);
  put(d, uint32_t(fromLane(Mask, as<uint32_t>(a), Good ? j : int(Lane))));
  return Good;
}
#define CUPEL_PTX_SHUFFLE(NAME, LANE, UP)                                                          \
  template <class T, class D, class A, class B, class C, class M>                                  \
  CUPEL_DEVICE void shfl_##NAME##_(D &d, A a, B b, C c, M Mask) {                                  \
    shuffle(d, a, [&](int Lane, int Least, int Segment) { return LANE; }, as<uint32_t>(c),         \
            as<uint32_t>(Mask), UP);                                                               \
  }                                                                                                \
  template <class T, class D, class P, class A, class B, class C, class M>                         \
  CUPEL_DEVICE void shfl_##NAME##_(D &d, P &p, A a, B b, C c, M Mask) {                            \
    p = shuffle(d, a, [&](int Lane, int Least, int Segment) { return LANE; }, as<uint32_t>(c),     \
                as<uint32_t>(Mask), UP);                                                           \
  }
CUPEL_PTX_SHUFFLE(up, Lane - int(as<uint32_t>(b)), true)
CUPEL_PTX_SHUFFLE(down, Lane + int(as<uint32_t>(b)), false)
CUPEL_PTX_SHUFFLE(bfly, Lane ^ int(as<uint32_t>(b)), false)
CUPEL_PTX_SHUFFLE(idx, (Least | (int(as<uint32_t>(b)) & ~Segment & 31)), false)
#undef CUPEL_PTX_SHUFFLE

template <class T, class D, class P, class M> CUPEL_DEVICE void vote_ballot_(D &d, P p, M Mask) {
  put(d, uint32_t(::__ballot_sync(as<uint32_t>(Mask), p)));
}
template <class T, class D, class P, class M> CUPEL_DEVICE void vote_any_(D &d, P p, M Mask) {
  d = ::__any_sync(as<uint32_t>(Mask), p);
}
template <class T, class D, class P, class M> CUPEL_DEVICE void vote_all_(D &d, P p, M Mask) {
  d = ::__all_sync(as<uint32_t>(Mask), p);
}
template <class T, class D> CUPEL_DEVICE void activemask_(D &d) { put(d, activeLanes()); }
template <class T, class D, class A, class M> CUPEL_DEVICE void match_any_(D &d, A a, M Mask) {
  put(d, uint32_t(::__match_any_sync(as<uint32_t>(Mask), as<T>(a))));
}
#define CUPEL_PTX_REDUX(NAME)                                                                      \
  template <class T, class D, class A, class M> CUPEL_DEVICE void redux_##NAME##_(D &d, A a, M Mask) { \
    put(d, ::__reduce_##NAME##_sync(as<uint32_t>(Mask), as<T>(a)));                                \
  }
CUPEL_PTX_REDUX(add)
CUPEL_PTX_REDUX(min)
CUPEL_PTX_REDUX(max)
CUPEL_PTX_REDUX(and)
CUPEL_PTX_REDUX(or)
CUPEL_PTX_REDUX(xor)
#undef CUPEL_PTX_REDUX

CUPEL_DEVICE uint32_t special_laneid() { return laneId(); }
CUPEL_DEVICE uint32_t special_warpid() { return warpId(); }
CUPEL_DEVICE uint32_t special_nwarpid() { return (blockDim.x * blockDim.y * blockDim.z + 31) / 32; }
CUPEL_DEVICE uint32_t special_smid() { return blockIdx.x % 132; }
CUPEL_DEVICE uint32_t special_nsmid() { return 132; }
CUPEL_DEVICE uint32_t special_gridid() { return 1; }
CUPEL_DEVICE uint32_t special_clock() { return static_cast<uint32_t>(deviceClock()); }
CUPEL_DEVICE uint32_t special_clock_hi() { return static_cast<uint32_t>(deviceClock() >> 32); }
CUPEL_DEVICE uint64_t special_clock64() { return deviceClock(); }
CUPEL_DEVICE uint64_t special_globaltimer() { return deviceClock(); }
CUPEL_DEVICE uint32_t special_dynamic_smem_size() { return dynamicSharedSize(); }
#define CUPEL_PTX_INDEX(NAME, VARIABLE)                                                            \
  CUPEL_DEVICE uint32_t special_##NAME##_x() { return VARIABLE.x; }                                \
  CUPEL_DEVICE uint32_t special_##NAME##_y() { return VARIABLE.y; }                                \
  CUPEL_DEVICE uint32_t special_##NAME##_z() { return VARIABLE.z; }
CUPEL_PTX_INDEX(tid, threadIdx)
CUPEL_PTX_INDEX(ntid, blockDim)
CUPEL_PTX_INDEX(ctaid, blockIdx)
CUPEL_PTX_INDEX(nctaid, gridDim)
#undef CUPEL_PTX_INDEX
CUPEL_DEVICE uint32_t special_lanemask_eq() { return 1u << laneId(); }
CUPEL_DEVICE uint32_t special_lanemask_lt() { return (1u << laneId()) - 1; }
CUPEL_DEVICE uint32_t special_lanemask_le() { return special_lanemask_lt() | special_lanemask_eq(); }
CUPEL_DEVICE uint32_t special_lanemask_ge() { return ~special_lanemask_lt(); }
CUPEL_DEVICE uint32_t special_lanemask_gt() { return ~special_lanemask_le(); }

//===----------------------------------------------------------------------===//
// Matrices (PTX ISA 9.7.14)
//===----------------------------------------------------------------------===//

/// Lanes 8m to 8m+7 name the rows of matrix m; each lane gets two elements of a row of each, of a
/// column with `trans`.
template <bool Transposed, class D, class A> CUPEL_DEVICE void loadMatrix(D &&d, A Address) {
  const uint32_t Own = as<uint32_t>(Address), Lane = laneId();
  uint32_t Rows[32];
  gatherWarp(&Own, Rows, sizeof(Own));
  unsigned m = 0;
  auto One = [&](auto &To) {
    if constexpr (Transposed) {
      uint32_t Bits = 0;
      for (unsigned Half = 0; Half < 2; ++Half) {
        uint16_t Element;
        loadFrom<uint16_t>(sharedPointer(Rows[8 * m + Lane % 4 * 2 + Half] + Lane / 4 * 2), Element);
        Bits |= uint32_t(Element) << (16 * Half);
      }
      put(To, Bits);
    } else {
      loadFrom<uint32_t>(sharedPointer(Rows[8 * m + Lane / 4] + Lane % 4 * 4), To);
    }
    ++m;
  };
  if constexpr (IsGroup<std::decay_t<D>>)
    std::apply([&](auto &...P) { (One(P), ...); }, d.Parts);
  else
    One(d);
}
#define CUPEL_PTX_LDMATRIX(COUNT)                                                                  \
  template <class T, class D, class A> CUPEL_DEVICE void ldmatrix_##COUNT##_(D &&d, A a) {         \
    loadMatrix<false>(d, a);                                                                       \
  }                                                                                                \
  template <class T, class D, class A> CUPEL_DEVICE void ldmatrix_##COUNT##_trans_(D &&d, A a) {   \
    loadMatrix<true>(d, a);                                                                        \
  }
CUPEL_PTX_LDMATRIX(x1)
CUPEL_PTX_LDMATRIX(x2)
CUPEL_PTX_LDMATRIX(x4)
#undef CUPEL_PTX_LDMATRIX

/// The registers of an operand, as words.
template <class G> CUPEL_DEVICE void words(uint32_t *Out, G &&Operand) {
  if constexpr (IsGroup<std::decay_t<G>>)
    std::apply([&](auto &...P) { ((*Out++ = as<uint32_t>(P)), ...); }, Operand.Parts);
  else
    *Out = as<uint32_t>(Operand);
}
/// How many values of a type one register has, and what they are as numbers.
template <class T> inline constexpr int PerRegister = 4 / sizeof(Register<T>);
template <class T, class N> CUPEL_DEVICE void valuesIn(uint32_t Bits, N *Out) {
  if constexpr (std::is_same_v<T, tf32>) {
    *Out = as<float>(Bits & 0xffffe000u);
  } else {
    constexpr int Size = 8 * sizeof(Register<T>);
    for (int I = 0; I < PerRegister<T>; ++I) {
      const auto Part = static_cast<std::make_unsigned_t<
          std::conditional_t<std::is_floating_point_v<T>, int32_t, Register<T>>>>(Bits >> (Size * I));
      if constexpr (std::is_integral_v<T>)
        Out[I] = static_cast<T>(Part);
      else
        Out[I] = wide(__builtin_bit_cast(T, Part));
    }
  }
}

/// m16n8kK. Of A a lane holds, of each piece of 8 rows and of columns that four lanes share, what is
/// in one register; of B the same of columns; of C and D two columns of rows 8 apart.
template <int K, class TD, class T, class TC, class D, class A, class B, class C>
CUPEL_DEVICE void multiply(D &&d, A &&a, B &&b, C &&c) {
  using Sum = std::conditional_t<std::is_integral_v<TD>, int32_t, float>;
  constexpr int N = PerRegister<T>, Pieces = K / (4 * N); // Registers of B; twice as many of A.
  uint32_t Mine[3 * Pieces], All[32][3 * Pieces];
  words(Mine, a);
  words(Mine + 2 * Pieces, b);
  gatherWarp(Mine, All, sizeof(Mine));
  const unsigned Lane = laneId();
  uint32_t Words[4];
  Sum Sums[4];
  words(Words, c);
  for (int I = 0; I < 4; I += PerRegister<TC>)
    valuesIn<TC>(Words[I / PerRegister<TC>], Sums + I);
  for (unsigned From = 0; From < 4; ++From) // The lanes with this row of A, these columns of B.
    for (int P = 0; P < Pieces; ++P) {
      const uint32_t *Row = All[Lane / 4 * 4 + From];
      Sum Left[2][N], Right[2][N];
      for (int I = 0; I < 2; ++I) {
        valuesIn<T>(Row[2 * P + I], Left[I]);
        valuesIn<T>(All[(Lane % 4 * 2 + I) * 4 + From][2 * Pieces + P], Right[I]);
      }
      for (int I = 0; I < 4; ++I)
        for (int E = 0; E < N; ++E)
          Sums[I] += Left[I / 2][E] * Right[I % 2][E];
    }
  int I = 0;
  std::apply([&](auto &...P) {
    ((put(P, [&] {
       if constexpr (std::is_same_v<TD, f16>) {
         const uint32_t Low = narrow<f16>(Sums[I]).Bits, High = narrow<f16>(Sums[I + 1]).Bits;
         I += 2;
         return High << 16 | Low;
       } else {
         return Sums[I++];
       }
     }())),
     ...);
  }, d.Parts);
}
#define CUPEL_PTX_MMA(SHAPE, K)                                                                    \
  template <class TD, class TA, class TB, class TC, class D, class A, class B, class C>            \
  CUPEL_DEVICE void mma_##SHAPE##_(D &&d, A &&a, B &&b, C &&c) {                                   \
    static_assert(std::is_same_v<TA, TB> && std::is_same_v<TD, TC> && !std::is_same_v<TA, f64>,    \
                  "not emulated: mma with these types");                                           \
    multiply<K, TD, TA, TC>(d, a, b, c);                                                           \
  }
CUPEL_PTX_MMA(m16n8k4, 4)
CUPEL_PTX_MMA(m16n8k8, 8)
CUPEL_PTX_MMA(m16n8k16, 16)
CUPEL_PTX_MMA(m16n8k32, 32)
#undef CUPEL_PTX_MMA

} // namespace cupel::emu::ptx
