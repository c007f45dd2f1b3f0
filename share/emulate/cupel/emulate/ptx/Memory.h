/// Loads, stores and asynchronous copies (PTX ISA 9.7.9), atomics (9.7.13).
#pragma once

#include "cupel/emulate/ptx/Registers.h"

namespace cupel::emu::ptx {

template <class A> CUPEL_DEVICE void *sharedPointer(A Address) {
  return sharedAddress(as<uint32_t>(Address));
}
template <class A> CUPEL_DEVICE void *pointer(A Address) {
  return as<void *>(as<uint64_t>(Address));
}

/// A vector is one access, aligned to its size (PTX ISA 6.4.1); the compiler checks none of ours.
template <class T, class D> CUPEL_DEVICE void loadFrom(const void *Address, D &&d) {
  if constexpr (IsGroup<std::decay_t<D>>) {
    constexpr size_t N = std::tuple_size_v<decltype(d.Parts)>;
    checkAligned(Address, N * sizeof(T));
    checkRead(Address, N * sizeof(T));
    size_t I = 0;
    std::apply(
        [&](auto &...P) {
          (put(P, as<Register<T>>(static_cast<const volatile T *>(Address)[I++])), ...);
        },
        d.Parts);
  } else {
    checkAligned(Address, sizeof(T));
    checkRead(Address, sizeof(T));
    put(d, *static_cast<const volatile Register<T> *>(Address));
  }
}
template <class T, class V> CUPEL_DEVICE void storeTo(void *Address, V &&v) {
  if constexpr (IsGroup<std::decay_t<V>>) {
    constexpr size_t N = std::tuple_size_v<decltype(v.Parts)>;
    checkAligned(Address, N * sizeof(T));
    checkWrite(Address, N * sizeof(T));
    size_t I = 0;
    std::apply(
        [&](auto &...P) {
          ((static_cast<volatile Register<T> *>(Address)[I++] = as<Register<T>>(P)), ...);
        },
        v.Parts);
  } else {
    checkAligned(Address, sizeof(T));
    checkWrite(Address, sizeof(T));
    *static_cast<volatile Register<T> *>(Address) = as<Register<T>>(v);
  }
}
// A cache policy may follow the operands.
template <class T, class D, class A, class... P> CUPEL_DEVICE void ld_(D &&d, A a, P...) {
  loadFrom<T>(pointer(a), d);
}
template <class T, class D, class A> CUPEL_DEVICE void ld_shared_(D &&d, A a) {
  loadFrom<T>(sharedPointer(a), d);
}
template <class T, class A, class V, class... P> CUPEL_DEVICE void st_(A a, V &&v, P...) {
  storeTo<T>(pointer(a), v);
}
template <class T, class A, class V> CUPEL_DEVICE void st_shared_(A a, V &&v) {
  storeTo<T>(sharedPointer(a), v);
}
template <class A> CUPEL_DEVICE void prefetch_(A) {}
template <class A> CUPEL_DEVICE void prefetchu_(A) {}
template <class T, class D, class... A> CUPEL_DEVICE void createpolicy_(D &d, A...) { d = 0; }

CUPEL_DEVICE void membar_() { __threadfence(); }
CUPEL_DEVICE void fence_() { __threadfence(); }

#define CUPEL_PTX_ATOMIC(NAME, FUNCTION)                                                           \
  template <class T, class D, class A, class V> CUPEL_DEVICE void atom_##NAME##_(D &d, A a, V v) { \
    put(d, FUNCTION(static_cast<T *>(pointer(a)), as<T>(v)));                                      \
  }                                                                                                \
  template <class T, class D, class A, class V>                                                    \
  CUPEL_DEVICE void atom_shared_##NAME##_(D &d, A a, V v) {                                        \
    put(d, FUNCTION(static_cast<T *>(sharedPointer(a)), as<T>(v)));                                \
  }                                                                                                \
  template <class T, class A, class V> CUPEL_DEVICE void red_##NAME##_(A a, V v) {                 \
    FUNCTION(static_cast<T *>(pointer(a)), as<T>(v));                                              \
  }                                                                                                \
  template <class T, class A, class V> CUPEL_DEVICE void red_shared_##NAME##_(A a, V v) {          \
    FUNCTION(static_cast<T *>(sharedPointer(a)), as<T>(v));                                        \
  }
/// CUDA's functions have `unsigned long long` where uint64_t is `unsigned long`.
template <class T> struct Word {
  using Type = T;
};
template <> struct Word<uint64_t> {
  using Type = unsigned long long;
};
template <> struct Word<int64_t> {
  using Type = long long;
};
#define CUPEL_PTX_CALL(FUNCTION)                                                                   \
  []<class Q>(Q *p, Q v) {                                                                         \
    using W = typename Word<Q>::Type;                                                              \
    return static_cast<Q>(FUNCTION(reinterpret_cast<W *>(p), static_cast<W>(v)));                  \
  }
CUPEL_PTX_ATOMIC(add, CUPEL_PTX_CALL(::atomicAdd))
CUPEL_PTX_ATOMIC(min, CUPEL_PTX_CALL(::atomicMin))
CUPEL_PTX_ATOMIC(max, CUPEL_PTX_CALL(::atomicMax))
CUPEL_PTX_ATOMIC(and, CUPEL_PTX_CALL(::atomicAnd))
CUPEL_PTX_ATOMIC(or, CUPEL_PTX_CALL(::atomicOr))
CUPEL_PTX_ATOMIC(xor, CUPEL_PTX_CALL(::atomicXor))
CUPEL_PTX_ATOMIC(exch, CUPEL_PTX_CALL(::atomicExch))
CUPEL_PTX_ATOMIC(inc, CUPEL_PTX_CALL(::atomicInc))
CUPEL_PTX_ATOMIC(dec, CUPEL_PTX_CALL(::atomicDec))
#undef CUPEL_PTX_ATOMIC
#undef CUPEL_PTX_CALL
template <class T, class D, class A, class C, class V>
CUPEL_DEVICE void atom_cas_(D &d, A a, C c, V v) {
  using W = typename Word<T>::Type;
  put(d, static_cast<T>(::atomicCAS(static_cast<W *>(pointer(a)), static_cast<W>(as<T>(c)),
                                    static_cast<W>(as<T>(v)))));
}

/// `cp.async [shared], [global], size, given;`: what is not given is zeros. Both addresses are
/// aligned to the size (PTX ISA 9.7.9.25); one of which nothing is read may be any.
CUPEL_DEVICE void copyAligned(void *To, const void *From, uint32_t Size, uint32_t Given) {
  checkAligned(To, Size);
  if (Given)
    checkAligned(From, Size);
  copyAsync(To, From, Given, Size - Given);
}
template <class D, class S, class N> CUPEL_DEVICE void cp_async_(D d, S s, N Size) {
  copyAligned(sharedPointer(d), pointer(s), as<uint32_t>(Size), as<uint32_t>(Size));
}
template <class D, class S, class N, class G, class... P>
CUPEL_DEVICE void cp_async_(D d, S s, N Size, G Given, P...) {
  copyAligned(sharedPointer(d), pointer(s), as<uint32_t>(Size), as<uint32_t>(Given));
}
CUPEL_DEVICE void cp_async_commit_group_() { commitCopies(); }
template <class N> CUPEL_DEVICE void cp_async_wait_group_(N Pending) {
  waitCopies(as<uint32_t>(Pending));
}
CUPEL_DEVICE void cp_async_wait_all_() { waitAllCopies(); }

} // namespace cupel::emu::ptx
