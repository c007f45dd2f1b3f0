/// Fragments of matrices (nvcuda::wmma). Element i of lane l is element i * 32 + l of the matrix in
/// row-major order; real hardware leaves the order open.
#pragma once

#include "cupel/emulate/Runtime.h"
#include "cupel/emulate/Words.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

namespace nvcuda::wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
struct u4 {};
struct s4 {};
struct b1 {};
} // namespace precision

namespace detail {
template <class T> struct storage {
  using type = T;
};
template <> struct storage<precision::tf32> {
  using type = float;
};

template <class Use, int M, int N, int K> struct shape;
template <int M, int N, int K> struct shape<matrix_a, M, N, K> {
  static constexpr int rows = M, columns = K;
};
template <int M, int N, int K> struct shape<matrix_b, M, N, K> {
  static constexpr int rows = K, columns = N;
};
template <int M, int N, int K> struct shape<accumulator, M, N, K> {
  static constexpr int rows = M, columns = N;
};

// Torch has the 16-bit types' conversions switched off.
template <class Sum, class T> CUPEL_DEVICE Sum widen(T v) {
  if constexpr (std::is_same_v<T, __half>)
    return __half2float(v);
  else if constexpr (std::is_same_v<T, __nv_bfloat16>)
    return __bfloat162float(v);
  else
    return static_cast<Sum>(v);
}
template <class T, class Sum> CUPEL_DEVICE T narrow(Sum v) {
  if constexpr (std::is_same_v<T, __half>)
    return __float2half(v);
  else
    return static_cast<T>(v);
}

// What the multiplication sees of an element: tf32 has 10 bits of mantissa.
template <class T, class Stored> CUPEL_DEVICE auto factor(Stored v) {
  if constexpr (std::is_same_v<T, precision::tf32>)
    return __uint_as_float(__float_as_uint(v) & 0xffffe000u);
  else if constexpr (std::is_same_v<T, double>)
    return v;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<int>(v);
  else
    return widen<float>(v);
}
} // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
public:
  using element_type = T;
  using storage_element_type = typename detail::storage<T>::type;
  static constexpr int rows = detail::shape<Use, M, N, K>::rows;
  static constexpr int columns = detail::shape<Use, M, N, K>::columns;
  static constexpr int num_elements = rows * columns / 32, num_storage_elements = num_elements;
  storage_element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class L>
CUPEL_DEVICE void fill_fragment(fragment<Use, M, N, K, T, L> &f,
                                const typename detail::storage<T>::type &v) {
  for (auto &x : f.x)
    x = v;
}

namespace detail {
/// The rows that a GPU moves at once: the guide (10.24) wants a stride of a multiple of 16 bytes
/// and a pointer aligned to 32, of which 16 are what its instructions need.
template <class P> CUPEL_DEVICE void checkRows(const P *p, unsigned ldm) {
  cupel::emu::checkAligned(p, 16);
  cupel::emu::checkAligned(p + ldm, 16);
}

template <class F, class P> CUPEL_DEVICE void load(F &f, const P *p, unsigned ldm, bool byRows) {
  cupel::emu::warpCollective(cupel::emu::WarpOp::Sync, 0xffffffffu, {});
  checkRows(p, ldm);
  for (int i = 0; i < F::num_elements; ++i) {
    const unsigned at = i * 32 + cupel::emu::laneId(), r = at / F::columns, c = at % F::columns;
    f.x[i] = p[byRows ? r * ldm + c : c * ldm + r];
  }
}
} // namespace detail

template <class Use, int M, int N, int K, class T, class L, class P>
CUPEL_DEVICE void load_matrix_sync(fragment<Use, M, N, K, T, L> &f, const P *p, unsigned ldm) {
  detail::load(f, p, ldm, std::is_same_v<L, row_major>);
}
template <int M, int N, int K, class T, class P>
CUPEL_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const P *p, unsigned ldm,
                                   layout_t layout) {
  detail::load(f, p, ldm, layout == mem_row_major);
}
template <int M, int N, int K, class T, class P>
CUPEL_DEVICE void store_matrix_sync(P *p, const fragment<accumulator, M, N, K, T> &f, unsigned ldm,
                                    layout_t layout) {
  using F = fragment<accumulator, M, N, K, T>;
  detail::checkRows(p, ldm);
  for (int i = 0; i < F::num_elements; ++i) {
    const unsigned at = i * 32 + cupel::emu::laneId(), r = at / F::columns, c = at % F::columns;
    p[layout == mem_row_major ? r * ldm + c : c * ldm + r] = f.x[i];
  }
  cupel::emu::warpCollective(cupel::emu::WarpOp::Sync, 0xffffffffu, {});
}

template <int M, int N, int K, class D, class TA, class LA, class TB, class LB, class C>
CUPEL_DEVICE void mma_sync(fragment<accumulator, M, N, K, D> &d,
                           const fragment<matrix_a, M, N, K, TA, LA> &a,
                           const fragment<matrix_b, M, N, K, TB, LB> &b,
                           const fragment<accumulator, M, N, K, C> &c, bool = false) {
  using A = fragment<matrix_a, M, N, K, TA, LA>;
  using B = fragment<matrix_b, M, N, K, TB, LB>;
  typename A::storage_element_type wholeA[32][A::num_elements];
  typename B::storage_element_type wholeB[32][B::num_elements];
  cupel::emu::gatherWarp(a.x, wholeA, sizeof(a.x));
  cupel::emu::gatherWarp(b.x, wholeB, sizeof(b.x));
  for (int i = 0; i < d.num_elements; ++i) {
    const unsigned at = i * 32 + cupel::emu::laneId(), row = at / N, column = at % N;
    using Sum = std::conditional_t<std::is_integral_v<D>, int,
                                   std::conditional_t<std::is_same_v<D, double>, double, float>>;
    Sum sum = detail::widen<Sum>(c.x[i]);
    for (unsigned k = 0; k < K; ++k) {
      const unsigned ia = row * K + k, ib = k * N + column;
      sum += detail::factor<TA>(wholeA[ia % 32][ia / 32]) *
             detail::factor<TB>(wholeB[ib % 32][ib / 32]);
    }
    d.x[i] = detail::narrow<D>(sum);
  }
}

/// To tf32, to nearest with ties away from zero (cvt.rna).
CUPEL_DEVICE float __float_to_tf32(float v) {
  return v != v ? v : __uint_as_float((__float_as_uint(v) + 0x1000u) & 0xffffe000u);
}

} // namespace nvcuda::wmma
