/// Loads and stores with a hint for the caches, and of whole objects.
#pragma once

#include "cupel/emulate/Runtime.h"
#include "cupel/emulate/Words.h"

#include <type_traits>

namespace cupel::emu {
/// What the rewriter puts around an object that is copied through a pointer. The caller's reference
/// to it is what UndefinedBehaviorSanitizer checks.
template <class T> CUPEL_DEVICE constexpr T &&whole(T &&Object) {
  return static_cast<T &&>(Object);
}

template <class T> CUPEL_DEVICE T hintedLoad(const T *Address) {
  checkAligned(Address, alignof(T));
  return *Address;
}
template <class T> CUPEL_DEVICE void hintedStore(T *Address, T Value) {
  checkAligned(Address, alignof(T));
  *Address = Value;
}
} // namespace cupel::emu

template <class T> CUPEL_DEVICE T __ldg(const T *p) { return cupel::emu::hintedLoad(p); }
template <class T> CUPEL_DEVICE T __ldca(const T *p) { return cupel::emu::hintedLoad(p); }
template <class T> CUPEL_DEVICE T __ldcg(const T *p) { return cupel::emu::hintedLoad(p); }
template <class T> CUPEL_DEVICE T __ldcs(const T *p) { return cupel::emu::hintedLoad(p); }
template <class T> CUPEL_DEVICE T __ldlu(const T *p) { return cupel::emu::hintedLoad(p); }
template <class T> CUPEL_DEVICE T __ldcv(const T *p) { return cupel::emu::hintedLoad(p); }
template <class T> CUPEL_DEVICE void __stwb(T *p, std::type_identity_t<T> v) {
  cupel::emu::hintedStore(p, v);
}
template <class T> CUPEL_DEVICE void __stcg(T *p, std::type_identity_t<T> v) {
  cupel::emu::hintedStore(p, v);
}
template <class T> CUPEL_DEVICE void __stcs(T *p, std::type_identity_t<T> v) {
  cupel::emu::hintedStore(p, v);
}
template <class T> CUPEL_DEVICE void __stwt(T *p, std::type_identity_t<T> v) {
  cupel::emu::hintedStore(p, v);
}
