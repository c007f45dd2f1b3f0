/// What a PTX register holds under each type, and half precision in registers.
#pragma once

#include "cupel/emulate/Device.h"

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
template <class V, class R> CUPEL_DEVICE void store(V &To, R Value) {
  To = as<std::remove_cv_t<V>>(Value);
}
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
template <class T, class F, class... A>
CUPEL_DEVICE Register<T> compute(F Function, A... Arguments) {
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

} // namespace cupel::emu::ptx
