// c10::complex converts to thrust's, whose header is a sixth of all that nvcc reads. Here the type has
// no definition and the functions are deleted: code that uses them does not compile, and then the
// build tries the real header (see torch/extension.h).
#pragma once

namespace thrust {
template <typename T> class complex;
template <typename T> complex<T> polar(const T &, const T &) = delete;
template <typename T> T abs(const complex<T> &) = delete;

#define CUPEL_COMPLEX_FUNCTION(name)                                                               \
  template <typename T> complex<T> name(const complex<T> &) = delete;
CUPEL_COMPLEX_FUNCTION(acos)
CUPEL_COMPLEX_FUNCTION(acosh)
CUPEL_COMPLEX_FUNCTION(asin)
CUPEL_COMPLEX_FUNCTION(asinh)
CUPEL_COMPLEX_FUNCTION(atan)
CUPEL_COMPLEX_FUNCTION(atanh)
CUPEL_COMPLEX_FUNCTION(cos)
CUPEL_COMPLEX_FUNCTION(cosh)
CUPEL_COMPLEX_FUNCTION(exp)
CUPEL_COMPLEX_FUNCTION(log)
CUPEL_COMPLEX_FUNCTION(log10)
CUPEL_COMPLEX_FUNCTION(sin)
CUPEL_COMPLEX_FUNCTION(sinh)
CUPEL_COMPLEX_FUNCTION(sqrt)
CUPEL_COMPLEX_FUNCTION(tan)
CUPEL_COMPLEX_FUNCTION(tanh)
#undef CUPEL_COMPLEX_FUNCTION

template <typename T, typename U> complex<T> pow(const T &, const U &) = delete;
} // namespace thrust
