/// Moves and conversions (PTX ISA 9.7.9).
#pragma once

#include "cupel/emulate/ptx/Registers.h"

#include <cmath>
#include <cstring>

namespace cupel::emu::ptx {

template <class T, class D, class A> CUPEL_DEVICE void mov_(D &&d, A &&a) {
  using Wide = Register<T>;
  if constexpr (IsGroup<std::decay_t<A>>) { // Pack: the first part is the lowest.
    constexpr size_t N = std::tuple_size_v<decltype(a.Parts)>;
    uint64_t Bits = 0;
    size_t I = 0;
    constexpr size_t Size = 8 * sizeof(Wide) / N;
    std::apply(
        [&](auto &...P) {
          ((Bits |= ([&] {
              uint64_t B = 0;
              auto V = P;
              __builtin_memcpy(&B, &V, Size / 8);
              return B;
            }() << (Size * I++))),
           ...);
        },
        a.Parts);
    put(d, as<Wide>(Bits));
  } else if constexpr (IsGroup<std::decay_t<D>>) {
    constexpr size_t N = std::tuple_size_v<decltype(d.Parts)>;
    constexpr size_t Size = 8 * sizeof(Wide) / N;
    uint64_t Bits = 0;
    auto From = as<Wide>(a);
    __builtin_memcpy(&Bits, &From, sizeof(Wide));
    size_t I = 0;
    std::apply(
        [&](auto &...P) {
          ((([&] {
             uint64_t B = Bits >> (Size * I++);
             if constexpr (Size < 64)
               B &= (uint64_t(1) << Size) - 1;
             __builtin_memcpy(&P, &B, sizeof(P));
           })()),
           ...);
        },
        d.Parts);
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
template <class To, class From, class D, class A, class B> CUPEL_DEVICE void cvt_(D &d, A a, B b) {
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
template <class T, class D, class A> CUPEL_DEVICE void cvta_to_(D &d, A a) {
  put(d, as<uint64_t>(a));
}
template <class T, class D, class A> CUPEL_DEVICE void cvta_shared_(D &d, A a) {
  put(d, as<uint64_t>(sharedAddress(as<uint32_t>(a))));
}
template <class T, class D, class A> CUPEL_DEVICE void cvta_to_shared_(D &d, A a) {
  put(d, uint64_t(sharedOffset(as<const void *>(as<uint64_t>(a)))));
}

} // namespace cupel::emu::ptx
