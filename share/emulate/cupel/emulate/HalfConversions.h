/// CUDA's conversions of half by the processor's own instructions, where it has them (F16C). The
/// toolkit's for the host take the bits apart. Clang prefers a function with `enable_if` to one
/// that is its equal, so CUDA's header itself calls these, whose bodies follow it
/// (HalfConversionBodies.h).
#pragma once

#include "cupel/emulate/Words.h"

#ifdef __F16C__
#define CUPEL_PREFERRED __attribute__((enable_if(true, "")))
struct __half;
CUPEL_DEVICE float __internal_half2float(const unsigned short h) CUPEL_PREFERRED;
CUPEL_DEVICE __half __float2half(const float a) CUPEL_PREFERRED;
CUPEL_DEVICE __half __float2half_rn(const float a) CUPEL_PREFERRED;
CUPEL_DEVICE __half __double2half(const double a) CUPEL_PREFERRED;
#endif
