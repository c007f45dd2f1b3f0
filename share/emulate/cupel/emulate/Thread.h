/// threadIdx and its kin, barriers, fences, clocks, and how a kernel ends early.
#pragma once

#include "cupel/emulate/Runtime.h"
#include "cupel/emulate/Words.h"

#include <assert.h>
#include <cstdio>
#include <ctime>

namespace cupel::emu {

/// Reads a word of cupelEmulatedIndex, which lies in static thread-local storage. The compiler may
/// merge reads, since they never change for a thread of a kernel; AddressSanitizer's pass would
/// check each of them.
#define CUPEL_INDEX(NAME, FIRST, TYPE)                                                             \
  struct NAME##Type {                                                                              \
    __declspec(property(get = getX)) unsigned x;                                                   \
    __declspec(property(get = getY)) unsigned y;                                                   \
    __declspec(property(get = getZ)) unsigned z;                                                   \
    CUPEL_DEVICE unsigned getX() const { return read<FIRST * 4>(); }                               \
    CUPEL_DEVICE unsigned getY() const { return read<FIRST * 4 + 4>(); }                           \
    CUPEL_DEVICE unsigned getZ() const { return read<FIRST * 4 + 8>(); }                           \
    CUPEL_DEVICE operator dim3() const { return dim3(getX(), getY(), getZ()); }                    \
    CUPEL_DEVICE operator uint3() const { return uint3{getX(), getY(), getZ()}; }                  \
    template <int Offset> CUPEL_DEVICE static unsigned read() {                                    \
      unsigned long Value;                                                                         \
      asm("movq cupelEmulatedIndex@GOTTPOFF(%%rip), %0\n\tmovl %%fs:%c1(%0), %k0"                  \
          : "=&r"(Value)                                                                           \
          : "i"(Offset));                                                                          \
      return static_cast<unsigned>(Value);                                                         \
    }                                                                                              \
  };
CUPEL_INDEX(ThreadIndex, 0, uint3)
CUPEL_INDEX(BlockIndex, 3, uint3)
CUPEL_INDEX(BlockSize, 6, dim3)
CUPEL_INDEX(GridSize, 9, dim3)
#undef CUPEL_INDEX

} // namespace cupel::emu

inline constexpr cupel::emu::ThreadIndexType threadIdx;
inline constexpr cupel::emu::BlockIndexType blockIdx;
inline constexpr cupel::emu::BlockSizeType blockDim;
inline constexpr cupel::emu::GridSizeType gridDim;
inline constexpr int warpSize = 32;

CUPEL_DEVICE void __syncthreads() { cupel::emu::blockBarrier(cupel::emu::Vote::None, 0); }
CUPEL_DEVICE int __syncthreads_count(int p) {
  return cupel::emu::blockBarrier(cupel::emu::Vote::Count, p);
}
CUPEL_DEVICE int __syncthreads_and(int p) {
  return cupel::emu::blockBarrier(cupel::emu::Vote::And, p);
}
CUPEL_DEVICE int __syncthreads_or(int p) {
  return cupel::emu::blockBarrier(cupel::emu::Vote::Or, p);
}
CUPEL_DEVICE void __barrier_sync(unsigned id) { cupel::emu::namedBarrier(id, 0, true); }
CUPEL_DEVICE void __barrier_sync_count(unsigned id, unsigned n) {
  cupel::emu::namedBarrier(id, n, true);
}

CUPEL_DEVICE void __threadfence() { cupel::emu::fence(); }
CUPEL_DEVICE void __threadfence_block() { cupel::emu::fence(); }
CUPEL_DEVICE void __threadfence_system() { cupel::emu::fence(); }
CUPEL_DEVICE void __nanosleep(unsigned) { cupel::emu::yieldThread(); }

CUPEL_DEVICE long long clock64() { return static_cast<long long>(cupel::emu::deviceClock()); }
#define clock() (::cupel::emu::inKernel() ? static_cast<clock_t>(::clock64()) : (::clock)())

CUPEL_DEVICE void __trap() { cupel::emu::failKernel("trap", "the kernel ends itself with __trap"); }
CUPEL_DEVICE void __brkpt() {}
CUPEL_DEVICE void __prof_trigger(int) {}

CUPEL_DEVICE bool __isShared(const void *p) { return cupel::emu::isShared(p); }
CUPEL_DEVICE bool __isGlobal(const void *p) { return !cupel::emu::isShared(p); }
CUPEL_DEVICE size_t __cvta_generic_to_shared(const void *p) { return cupel::emu::sharedOffset(p); }
CUPEL_DEVICE size_t __cvta_generic_to_global(const void *p) { return reinterpret_cast<size_t>(p); }
CUPEL_DEVICE void *__cvta_shared_to_generic(size_t p) {
  return cupel::emu::sharedAddress(static_cast<unsigned>(p));
}
CUPEL_DEVICE void *__cvta_global_to_generic(size_t p) { return reinterpret_cast<void *>(p); }
