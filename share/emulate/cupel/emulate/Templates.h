/// The runtime's function templates that CUDA's header has for nvcc only.
#pragma once

#include "cupel/emulate/Runtime.h"
#include "cupel/emulate/Words.h"

#include <type_traits>

template <class T> cudaError_t cudaFuncSetAttribute(T *f, cudaFuncAttribute a, int v) {
  return cudaFuncSetAttribute(reinterpret_cast<const void *>(f), a, v);
}
template <class T> cudaError_t cudaFuncSetCacheConfig(T *f, cudaFuncCache c) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void *>(f), c);
}
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, T *f) {
  return cudaFuncGetAttributes(a, reinterpret_cast<const void *>(f));
}

// A variable is its own symbol; an array decays to a pointer without these, to its first element.
// Inlined, so that what is told has the caller's place.
namespace cupel::emu {
template <class T>
CUPEL_DEVICE cudaError_t checkIn(const char *function, const T &symbol, size_t size,
                                 size_t offset) {
  if (!isSymbol(function, &symbol))
    return cudaErrorInvalidSymbol;
  if constexpr (std::is_unbounded_array_v<T>)
    return cudaSuccess;
  else
    return checkSymbol(function, sizeof(T), size, offset) ? cudaSuccess : cudaErrorInvalidValue;
}
} // namespace cupel::emu

template <class T>
CUPEL_DEVICE cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size,
                                            size_t offset = 0,
                                            cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  if (cudaError_t e = cupel::emu::checkIn("cudaMemcpyToSymbol", symbol, size, offset))
    return e;
  return cudaMemcpyToSymbol(static_cast<const void *>(&symbol), from, size, offset, kind);
}
template <class T>
CUPEL_DEVICE cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size,
                                                 size_t offset = 0,
                                                 cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                 cudaStream_t stream = nullptr) {
  if (cudaError_t e = cupel::emu::checkIn("cudaMemcpyToSymbolAsync", symbol, size, offset))
    return e;
  return cudaMemcpyToSymbolAsync(static_cast<const void *>(&symbol), from, size, offset, kind,
                                 stream);
}
template <class T>
CUPEL_DEVICE cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size,
                                              size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  if (cudaError_t e = cupel::emu::checkIn("cudaMemcpyFromSymbol", symbol, size, offset))
    return e;
  return cudaMemcpyFromSymbol(to, static_cast<const void *>(&symbol), size, offset, kind);
}
template <class T>
CUPEL_DEVICE cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size,
                                                   size_t offset = 0,
                                                   cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                   cudaStream_t stream = nullptr) {
  if (cudaError_t e = cupel::emu::checkIn("cudaMemcpyFromSymbolAsync", symbol, size, offset))
    return e;
  return cudaMemcpyFromSymbolAsync(to, static_cast<const void *>(&symbol), size, offset, kind,
                                   stream);
}
template <class T> CUPEL_DEVICE cudaError_t cudaGetSymbolAddress(void **at, const T &symbol) {
  if (!cupel::emu::isSymbol("cudaGetSymbolAddress", &symbol))
    return cudaErrorInvalidSymbol;
  return cudaGetSymbolAddress(at, static_cast<const void *>(&symbol));
}
template <class T> CUPEL_DEVICE cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
  if (!cupel::emu::isSymbol("cudaGetSymbolSize", &symbol))
    return cudaErrorInvalidSymbol;
  *size = sizeof(T);
  return cudaSuccess;
}
