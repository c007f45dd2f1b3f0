/// ldmatrix and mma (PTX ISA 9.7.14).
#pragma once

#include "cupel/emulate/ptx/Memory.h"

namespace cupel::emu::ptx {

/// Lanes 8m to 8m+7 name the rows of matrix m; each lane gets two elements of a row of each, of a
/// column with `trans`.
template <bool Transposed, class D, class A> CUPEL_DEVICE void loadMatrix(D &&d, A Address) {
  const uint32_t Own = as<uint32_t>(Address), Lane = laneId();
  uint32_t Rows[32];
  gatherWarp(&Own, Rows, sizeof(Own));
  unsigned Count = 1, m = 0;
  if constexpr (IsGroup<std::decay_t<D>>)
    Count = std::tuple_size_v<decltype(d.Parts)>;
  if (Lane < 8 * Count)
    checkAligned(sharedPointer(Own), 16);
  auto One = [&](auto &To) {
    if constexpr (Transposed) {
      uint32_t Bits = 0;
      for (unsigned Half = 0; Half < 2; ++Half) {
        uint16_t Element;
        loadFrom<uint16_t>(sharedPointer(Rows[8 * m + Lane % 4 * 2 + Half] + Lane / 4 * 2),
                           Element);
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
          std::conditional_t<std::is_floating_point_v<T>, int32_t, Register<T>>>>(Bits >>
                                                                                  (Size * I));
      if constexpr (std::is_integral_v<T>)
        Out[I] = static_cast<T>(Part);
      else
        Out[I] = wide(__builtin_bit_cast(T, Part));
    }
  }
}

/// m16n8kK. Of A a lane holds, of each piece of 8 rows and of columns that four lanes share, what
/// is in one register; of B the same of columns; of C and D two columns of rows 8 apart.
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
  std::apply(
      [&](auto &...P) {
        ((put(P,
              [&] {
                if constexpr (std::is_same_v<TD, f16>) {
                  const uint32_t Low = narrow<f16>(Sums[I]).Bits,
                                 High = narrow<f16>(Sums[I + 1]).Bits;
                  I += 2;
                  return High << 16 | Low;
                } else {
                  return Sums[I++];
                }
              }())),
         ...);
      },
      d.Parts);
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
