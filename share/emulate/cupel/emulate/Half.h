/// What CUDA's headers of 16-bit floats have for the device alone: fused operations, math,
/// conversions to integers, shuffles, atomics. Math is computed in float and rounded once, a fused
/// operation in double.
#pragma once

#include "cupel/emulate/Atomics.h"
#include "cupel/emulate/Intrinsics.h"
#include "cupel/emulate/Math.h"
#include "cupel/emulate/Warp.h"

// As the toolkit's: H is the type, H2 the pair, FLOAT converts to float, HALF from float, DOUBLE
// from double, TO names conversions to integers and FROM those from them.
#define CUPEL_HALF_UNARY(NAME, H, H2, FLOAT, HALF, EXPRESSION)                                     \
  CUPEL_DEVICE H h##NAME(H a) {                                                                    \
    const float x = FLOAT(a);                                                                      \
    return HALF(EXPRESSION);                                                                       \
  }                                                                                                \
  CUPEL_DEVICE H2 h2##NAME(H2 a) { return H2(h##NAME(a.x), h##NAME(a.y)); }

#define CUPEL_HALF_TO(NAME, H, FLOAT, T)                                                           \
  CUPEL_DEVICE T NAME##_rn(H a) { return cupel::emu::toInteger<T>(nearbyintf(FLOAT(a))); }         \
  CUPEL_DEVICE T NAME##_rd(H a) { return cupel::emu::toInteger<T>(floorf(FLOAT(a))); }             \
  CUPEL_DEVICE T NAME##_ru(H a) { return cupel::emu::toInteger<T>(ceilf(FLOAT(a))); }

#define CUPEL_HALF(H, H2, FLOAT, HALF, DOUBLE, TO)                                                 \
  CUPEL_HALF_UNARY(sqrt, H, H2, FLOAT, HALF, sqrtf(x))                                             \
  CUPEL_HALF_UNARY(rsqrt, H, H2, FLOAT, HALF, rsqrtf(x))                                           \
  CUPEL_HALF_UNARY(rcp, H, H2, FLOAT, HALF, 1.0f / x)                                              \
  CUPEL_HALF_UNARY(log, H, H2, FLOAT, HALF, logf(x))                                               \
  CUPEL_HALF_UNARY(log2, H, H2, FLOAT, HALF, log2f(x))                                             \
  CUPEL_HALF_UNARY(log10, H, H2, FLOAT, HALF, log10f(x))                                           \
  CUPEL_HALF_UNARY(exp, H, H2, FLOAT, HALF, expf(x))                                               \
  CUPEL_HALF_UNARY(exp2, H, H2, FLOAT, HALF, exp2f(x))                                             \
  CUPEL_HALF_UNARY(exp10, H, H2, FLOAT, HALF, exp10f(x))                                           \
  CUPEL_HALF_UNARY(tanh, H, H2, FLOAT, HALF, tanhf(x))                                             \
  CUPEL_HALF_UNARY(tanh_approx, H, H2, FLOAT, HALF, tanhf(x))                                      \
  CUPEL_HALF_UNARY(cos, H, H2, FLOAT, HALF, cosf(x))                                               \
  CUPEL_HALF_UNARY(sin, H, H2, FLOAT, HALF, sinf(x))                                               \
  CUPEL_HALF_UNARY(trunc, H, H2, FLOAT, HALF, truncf(x))                                           \
  CUPEL_HALF_UNARY(ceil, H, H2, FLOAT, HALF, ceilf(x))                                             \
  CUPEL_HALF_UNARY(floor, H, H2, FLOAT, HALF, floorf(x))                                           \
  CUPEL_HALF_UNARY(rint, H, H2, FLOAT, HALF, nearbyintf(x))                                        \
  CUPEL_DEVICE H __hfma(H a, H b, H c) {                                                           \
    return DOUBLE(static_cast<double>(FLOAT(a)) * FLOAT(b) + FLOAT(c));                            \
  }                                                                                                \
  CUPEL_DEVICE H __hfma_sat(H a, H b, H c) { return HALF(__saturatef(FLOAT(__hfma(a, b, c)))); }   \
  CUPEL_DEVICE H __hfma_relu(H a, H b, H c) { return HALF(fmaxf(FLOAT(__hfma(a, b, c)), 0.0f)); }  \
  CUPEL_DEVICE H2 __hfma2(H2 a, H2 b, H2 c) {                                                      \
    return H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));                                       \
  }                                                                                                \
  CUPEL_DEVICE H2 __hfma2_sat(H2 a, H2 b, H2 c) {                                                  \
    return H2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));                               \
  }                                                                                                \
  CUPEL_DEVICE H2 __hfma2_relu(H2 a, H2 b, H2 c) {                                                 \
    return H2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));                             \
  }                                                                                                \
  CUPEL_DEVICE H2 __hcmadd(H2 a, H2 b, H2 c) {                                                     \
    const H x = __hfma(a.x, b.x, c.x), y = __hfma(a.x, b.y, c.y);                                  \
    return H2(HALF(fmaf(-FLOAT(a.y), FLOAT(b.y), FLOAT(x))), __hfma(a.y, b.x, y));                 \
  }                                                                                                \
  CUPEL_HALF_TO(TO##int, H, FLOAT, int)                                                            \
  CUPEL_HALF_TO(TO##uint, H, FLOAT, unsigned)                                                      \
  CUPEL_HALF_TO(TO##short, H, FLOAT, short)                                                        \
  CUPEL_HALF_TO(TO##ushort, H, FLOAT, unsigned short)                                              \
  CUPEL_HALF_TO(TO##ll, H, FLOAT, long long)                                                       \
  CUPEL_HALF_TO(TO##ull, H, FLOAT, unsigned long long)                                             \
  CUPEL_SHUFFLES(H)                                                                                \
  CUPEL_SHUFFLES(H2)                                                                               \
  CUPEL_ATOMIC(atomicAdd, H, HALF(FLOAT(old) + FLOAT(v)))                                          \
  CUPEL_ATOMIC(atomicAdd, H2, H2(HALF(FLOAT(old.x) + FLOAT(v.x)), HALF(FLOAT(old.y) + FLOAT(v.y))))
