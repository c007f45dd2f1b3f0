/// Math functions that C's library has not, the fast ones, and CUDA's min and max. The fast ones
/// are as exact here as the others: their errors on a GPU are within those that the guide allows,
/// and a problem's tolerance has to allow for them.
#pragma once

#include "cupel/emulate/Words.h"

#include <cmath>
#include <cstdlib>
#include <math.h>

CUPEL_DEVICE float __expf(float x) { return expf(x); }
CUPEL_DEVICE float __exp10f(float x) { return exp10f(x); }
CUPEL_DEVICE float __logf(float x) { return logf(x); }
CUPEL_DEVICE float __log2f(float x) { return log2f(x); }
CUPEL_DEVICE float __log10f(float x) { return log10f(x); }
CUPEL_DEVICE float __powf(float x, float y) { return powf(x, y); }
CUPEL_DEVICE float __sinf(float x) { return sinf(x); }
CUPEL_DEVICE float __cosf(float x) { return cosf(x); }
CUPEL_DEVICE float __tanf(float x) { return tanf(x); }
CUPEL_DEVICE float __tanhf(float x) { return tanhf(x); }
CUPEL_DEVICE void __sincosf(float x, float *s, float *c) { *s = sinf(x), *c = cosf(x); }
CUPEL_DEVICE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

CUPEL_DEVICE float rsqrtf(float x) { return 1.0f / sqrtf(x); }
CUPEL_DEVICE double rsqrt(double x) { return 1.0 / sqrt(x); }
CUPEL_DEVICE float rsqrt(float x) { return rsqrtf(x); }
CUPEL_DEVICE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
CUPEL_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }
CUPEL_DEVICE float fdividef(float a, float b) { return a / b; }
CUPEL_DEVICE float fdivide(float a, float b) { return a / b; }
CUPEL_DEVICE double fdivide(double a, double b) { return a / b; }

namespace cupel::emu {
template <class T> CUPEL_DEVICE T sinPi(T X) {
  const T R = std::remainder(X, T(2));
  return R == 0 || R == 1 || R == -1 ? std::copysign(T(0), X) : std::sin(T(M_PI) * R);
}
template <class T> CUPEL_DEVICE T cosPi(T X) {
  const T R = std::fabs(std::remainder(X, T(2)));
  return R == T(0.5) ? T(0) : std::cos(T(M_PI) * R);
}
/// Inverse of the normal distribution's function: Acklam's rational start, then Newton's steps.
CUPEL_DEVICE double normalQuantile(double P) {
  if (!(P > 0.0 && P < 1.0))
    return P == 0.0 ? -HUGE_VAL : P == 1.0 ? HUGE_VAL : NAN;
  const double T = std::sqrt(-2.0 * std::log(P < 0.5 ? P : 1.0 - P));
  double X = T - (2.515517 + T * (0.802853 + T * 0.010328)) /
                     (1.0 + T * (1.432788 + T * (0.189269 + T * 0.001308)));
  X = P < 0.5 ? -X : X;
  for (int I = 0; I < 8; ++I) {
    const double Error = 0.5 * std::erfc(-X * M_SQRT1_2) - P;
    const double U = Error * std::sqrt(2.0 * M_PI) * std::exp(X * X / 2.0);
    X -= U / (1.0 + X * U / 2.0);
  }
  return X;
}
} // namespace cupel::emu

CUPEL_DEVICE float sinpif(float x) { return cupel::emu::sinPi(x); }
CUPEL_DEVICE double sinpi(double x) { return cupel::emu::sinPi(x); }
CUPEL_DEVICE float cospif(float x) { return cupel::emu::cosPi(x); }
CUPEL_DEVICE double cospi(double x) { return cupel::emu::cosPi(x); }
CUPEL_DEVICE void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
CUPEL_DEVICE void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }

CUPEL_DEVICE double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
CUPEL_DEVICE float normcdff(float x) { return static_cast<float>(normcdf(x)); }
CUPEL_DEVICE double normcdfinv(double p) { return cupel::emu::normalQuantile(p); }
CUPEL_DEVICE float normcdfinvf(float p) { return static_cast<float>(normcdfinv(p)); }
CUPEL_DEVICE double erfinv(double x) {
  return cupel::emu::normalQuantile((x + 1.0) / 2.0) * M_SQRT1_2;
}
CUPEL_DEVICE float erfinvf(float x) { return static_cast<float>(erfinv(x)); }
CUPEL_DEVICE double erfcinv(double x) { return -cupel::emu::normalQuantile(x / 2.0) * M_SQRT1_2; }
CUPEL_DEVICE float erfcinvf(float x) { return static_cast<float>(erfcinv(x)); }
CUPEL_DEVICE double erfcx(double x) { return exp(x * x) * erfc(x); }
CUPEL_DEVICE float erfcxf(float x) { return static_cast<float>(erfcx(x)); }
CUPEL_DEVICE float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }
CUPEL_DEVICE double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
CUPEL_DEVICE float norm3df(float a, float b, float c) { return std::hypot(a, b, c); }
CUPEL_DEVICE double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
CUPEL_DEVICE float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
CUPEL_DEVICE float norm4df(float a, float b, float c, float d) {
  return std::hypot(std::hypot(a, b), std::hypot(c, d));
}
CUPEL_DEVICE float rnorm4df(float a, float b, float c, float d) {
  return 1.0f / norm4df(a, b, c, d);
}

// As the toolkit's crt/math_functions.hpp: mixed signs compare as unsigned, mixed floats as double.
#define CUPEL_MIN_MAX(R, A, B)                                                                     \
  CUPEL_DEVICE R min(A a, B b) {                                                                   \
    return static_cast<R>(b) < static_cast<R>(a) ? static_cast<R>(b) : static_cast<R>(a);          \
  }                                                                                                \
  CUPEL_DEVICE R max(A a, B b) {                                                                   \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(b) : static_cast<R>(a);          \
  }
CUPEL_MIN_MAX(int, int, int)
CUPEL_MIN_MAX(unsigned, unsigned, unsigned)
CUPEL_MIN_MAX(unsigned, int, unsigned)
CUPEL_MIN_MAX(unsigned, unsigned, int)
CUPEL_MIN_MAX(long, long, long)
CUPEL_MIN_MAX(unsigned long, unsigned long, unsigned long)
CUPEL_MIN_MAX(unsigned long, long, unsigned long)
CUPEL_MIN_MAX(unsigned long, unsigned long, long)
CUPEL_MIN_MAX(long long, long long, long long)
CUPEL_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CUPEL_MIN_MAX(unsigned long long, long long, unsigned long long)
CUPEL_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef CUPEL_MIN_MAX
CUPEL_DEVICE float min(float a, float b) { return fminf(a, b); }
CUPEL_DEVICE float max(float a, float b) { return fmaxf(a, b); }
CUPEL_DEVICE double min(double a, double b) { return fmin(a, b); }
CUPEL_DEVICE double max(double a, double b) { return fmax(a, b); }
CUPEL_DEVICE double min(float a, double b) { return fmin(a, b); }
CUPEL_DEVICE double max(float a, double b) { return fmax(a, b); }
CUPEL_DEVICE double min(double a, float b) { return fmin(a, b); }
CUPEL_DEVICE double max(double a, float b) { return fmax(a, b); }
CUPEL_DEVICE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
CUPEL_DEVICE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
CUPEL_DEVICE long long llmin(long long a, long long b) { return min(a, b); }
CUPEL_DEVICE long long llmax(long long a, long long b) { return max(a, b); }
CUPEL_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
CUPEL_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}
