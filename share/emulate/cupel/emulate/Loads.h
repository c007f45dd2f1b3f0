/// Loads and stores with a hint for the caches.
#pragma once

#include "cupel/emulate/Runtime.h"
#include "cupel/emulate/Words.h"

#include <type_traits>

namespace cupel::emu {
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
