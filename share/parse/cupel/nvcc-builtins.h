// Functions that nvcc knows and Clang 22 does not: CUDA's min and max in host code
// (crt/math_functions.h of the toolkit declares them for both sides, Clang for the device), norms,
// and intrinsics that are newer than Clang.
#pragma once

#include <cmath>

#if defined(__clang__) && defined(__CUDA__)

#define CUPEL_MIN_MAX(result, first, second)                                                       \
  inline __host__ result min(first a, second b) {                                                  \
    return static_cast<result>(b) < static_cast<result>(a) ? b : a;                                \
  }                                                                                                \
  inline __host__ result max(first a, second b) {                                                  \
    return static_cast<result>(a) < static_cast<result>(b) ? b : a;                                \
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
CUPEL_MIN_MAX(float, float, float)
CUPEL_MIN_MAX(double, double, double)
CUPEL_MIN_MAX(double, float, double)
CUPEL_MIN_MAX(double, double, float)
#undef CUPEL_MIN_MAX

inline __host__ unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline __host__ unsigned umax(unsigned a, unsigned b) { return max(a, b); }
inline __host__ long long llmin(long long a, long long b) { return min(a, b); }
inline __host__ long long llmax(long long a, long long b) { return max(a, b); }
inline __host__ unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
inline __host__ unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}

inline __host__ double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
inline __host__ float norm3df(float a, float b, float c) { return std::hypot(a, b, c); }
inline __host__ double norm4d(double a, double b, double c, double d) {
  return std::hypot(std::hypot(a, b, c), d);
}
inline __host__ float norm4df(float a, float b, float c, float d) {
  return std::hypot(std::hypot(a, b, c), d);
}
inline __host__ double rhypot(double a, double b) { return 1 / std::hypot(a, b); }
inline __host__ float rhypotf(float a, float b) { return 1 / std::hypot(a, b); }
inline __host__ double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
inline __host__ float rnorm3df(float a, float b, float c) { return 1 / norm3df(a, b, c); }
inline __host__ double rnorm4d(double a, double b, double c, double d) {
  return 1 / norm4d(a, b, c, d);
}
inline __host__ float rnorm4df(float a, float b, float c, float d) {
  return 1 / norm4df(a, b, c, d);
}

__device__ float __tanhf(float);

// Loads and stores with a cache hint (sm_32_intrinsics.h); Clang has __ldg, __ldcg, __ldcs, __ldcv
// and __stwt.
#define CUPEL_CACHE_HINTS(type)                                                                    \
  __device__ type __ldca(const type *);                                                            \
  __device__ type __ldlu(const type *);                                                            \
  __device__ void __stwb(type *, type);                                                            \
  __device__ void __stcg(type *, type);                                                            \
  __device__ void __stcs(type *, type);
CUPEL_CACHE_HINTS(char)
CUPEL_CACHE_HINTS(signed char)
CUPEL_CACHE_HINTS(short)
CUPEL_CACHE_HINTS(int)
CUPEL_CACHE_HINTS(long)
CUPEL_CACHE_HINTS(long long)
CUPEL_CACHE_HINTS(unsigned char)
CUPEL_CACHE_HINTS(unsigned short)
CUPEL_CACHE_HINTS(unsigned)
CUPEL_CACHE_HINTS(unsigned long)
CUPEL_CACHE_HINTS(unsigned long long)
CUPEL_CACHE_HINTS(float)
CUPEL_CACHE_HINTS(double)
CUPEL_CACHE_HINTS(char2)
CUPEL_CACHE_HINTS(char4)
CUPEL_CACHE_HINTS(uchar2)
CUPEL_CACHE_HINTS(uchar4)
CUPEL_CACHE_HINTS(short2)
CUPEL_CACHE_HINTS(short4)
CUPEL_CACHE_HINTS(ushort2)
CUPEL_CACHE_HINTS(ushort4)
CUPEL_CACHE_HINTS(int2)
CUPEL_CACHE_HINTS(int4)
CUPEL_CACHE_HINTS(uint2)
CUPEL_CACHE_HINTS(uint4)
CUPEL_CACHE_HINTS(longlong2)
CUPEL_CACHE_HINTS(ulonglong2)
CUPEL_CACHE_HINTS(float2)
CUPEL_CACHE_HINTS(float4)
CUPEL_CACHE_HINTS(double2)
#undef CUPEL_CACHE_HINTS
__device__ unsigned long __ldcg(const unsigned long *);
__device__ unsigned long __ldcs(const unsigned long *);
__device__ unsigned long __ldcv(const unsigned long *);
__device__ void __stwt(long *, long);
__device__ void __stwt(unsigned long *, unsigned long);


// Clang has the attribute for HIP alone, so that kernels could not name such a variable. To nvcc it is
// one of the device, as here (programming guide, "__managed__ Memory Qualifier").
#undef __managed__
#define __managed__ __device__

#endif
