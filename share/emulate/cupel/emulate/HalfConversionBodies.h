/// See HalfConversions.h.
#pragma once

#ifdef __F16C__
CUPEL_DEVICE float __internal_half2float(const unsigned short h) CUPEL_PREFERRED {
  return static_cast<float>(__builtin_bit_cast(_Float16, h));
}
CUPEL_DEVICE __half __float2half(const float a) CUPEL_PREFERRED {
  return __half(__half_raw{__builtin_bit_cast(unsigned short, static_cast<_Float16>(a))});
}
CUPEL_DEVICE __half __float2half_rn(const float a) CUPEL_PREFERRED { return __float2half(a); }
CUPEL_DEVICE __half __double2half(const double a) CUPEL_PREFERRED {
  // Cut to a float's 24 bits, the last one set for what was lost: 13 bits more than a half has, so
  // that the second rounding sees on which side of a tie the number lies.
  constexpr unsigned long long Lost = (1ull << 29) - 1;
  unsigned long long bits = __builtin_bit_cast(unsigned long long, a);
  bits = (bits & ~Lost) | (bits & Lost ? Lost + 1 : 0);
  return __float2half(static_cast<float>(__builtin_bit_cast(double, bits)));
}
#endif
