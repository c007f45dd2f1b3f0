// Device memory: an arena whose bytes are known one by one to be addressable or not, as in
// AddressSanitizer: a byte of the shadow for each 8 bytes, which says how many of them, from the
// first, may be touched. Red zones and freed memory have none. An arena of our own rather than
// AddressSanitizer's heap, because then memory of the host and of the device are told apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cupel::emu {

struct Arena {
  static uintptr_t Base;          ///< 0 until first used.
  static size_t Size, DeviceSize; ///< Behind the device's part: memory that the host may touch too.
  static size_t NamesStart;       ///< From there on the device's part is for HostNames.h.
  static uint8_t *Shadow;

  static bool contains(uintptr_t Address) { return Address - Base < Size; }
  static bool hostVisible(uintptr_t Address) { return Address - Base >= DeviceSize; }

  static bool isName(uintptr_t Address) {
    return Address - Base - NamesStart < DeviceSize - NamesStart;
  }

  static bool addressable(uintptr_t Address, size_t N) {
    const size_t Offset = Address - Base, In = Offset & 7;
    if (In + N <= 8)
      return In + N <= Shadow[Offset >> 3];
    return addressableRange(Offset, N);
  }
  static bool addressableRange(size_t Offset, size_t N);
};

/// Of the runtime's functions; the same that the host may touch too; of `malloc` in a kernel.
enum class MemoryKind : uint8_t { Device, HostVisible, Heap };
void *allocate(size_t Size, MemoryKind Kind);
/// Room in the part for names, which nothing may touch; 0 if there is none.
uintptr_t reserveName(size_t Size);
/// False when no allocation of this kind, or of the other that the runtime frees, begins there.
bool release(void *Address, MemoryKind Kind = MemoryKind::Device);
struct Allocation {
  uintptr_t Begin = 0;
  size_t Size = 0;
  MemoryKind Kind = MemoryKind::Device;
  bool Freed = false;
};
/// The allocation at `Address`, or the nearest one before or behind it.
Allocation findAllocation(uintptr_t Address);
/// What is wrong with `Size` bytes at `Address`, as the end of a sentence.
std::string describeAddress(uintptr_t Address, size_t Size);
/// Of the runtime's functions, without the heap of kernels.
size_t deviceBytesInUse();
/// cudaLimitMallocHeapSize.
size_t heapLimit();
void setHeapLimit(size_t Bytes);

/// Memory of the host that cudaHostRegister has made known to the device.
void registerHost(const void *Address, size_t Size);
bool unregisterHost(const void *Address);
bool isRegisteredHost(uintptr_t Address);

} // namespace cupel::emu
