// Directives that are no C++ are read as far as they go.
// RUN: not %cupel lint --checks=evasion-hidden-code %s | FileCheck %s
// REQUIRES: cupel, cuda-headers
//
// CHECK: reject: this code is not the same{{.*}}'__clang__' decides
// CHECK: reject: this code is not the same{{.*}}'__NVCC__' decides
#define
#define OPEN(a
#define EMPTY()
#undef
#ifndef __clang__
#define OPEN(a
#define SHUT(
#undef
void first() {}
#endif
#if
#elif
#endif
#if defined
#elif defined(
#elif defined(__NVCC__) &&
#elif ((((__clang__
#elif !
#elif __has_include(
#elif __has_include(<
#elif defined(__NVCC__) ? 1 : 0
void second() {}
#else
#else
#endif
#endif
#elif 1
#else
#if ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1
#endif
#if __NVCC__
OPEN(1)
