#include "DeviceMemory.h"
#include "Report.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <sys/mman.h>

namespace cupel::emu {

uintptr_t Arena::Base = 0;
size_t Arena::Size = 0, Arena::DeviceSize = 0, Arena::NamesStart = 0;
uint8_t *Arena::Shadow = nullptr;

namespace {

constexpr size_t Alignment = 512, RedZone = 512;
// Freed memory is not used again before so much of it waits, so that its use is seen.
constexpr size_t QuarantineBytes = size_t(256) << 20;

struct Part {
  uintptr_t Next = 0, End = 0;
  std::multimap<size_t, uintptr_t> Free; ///< Room -> address.
};

struct Heap {
  std::mutex Lock;
  Part Parts[2]; ///< Of the device; visible to the host.
  std::map<uintptr_t, Allocation> Known;
  std::map<uintptr_t, size_t> Registered;
  std::deque<uintptr_t> Quarantine;
  uintptr_t NextName = 0;
  size_t Quarantined = 0, InUse = 0;
  size_t HeapInUse = 0, HeapLimit = size_t(8) << 20;
};

Heap &heap() {
  static auto *H = new Heap; // Outlives all that is freed at exit.
  return *H;
}

void *reserve(size_t Size) {
  void *At = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return At == MAP_FAILED ? nullptr : At;
}

// As much as limits on address space allow: 16 GiB, or a half of it, and so on.
bool open(Heap &H) {
  if (Arena::Base)
    return true;
  for (size_t Size = size_t(16) << 30; Size >= (size_t(64) << 20); Size /= 2) {
    void *Memory = reserve(Size), *Shadow = Memory ? reserve(Size / 8) : nullptr;
    if (!Shadow) {
      if (Memory)
        munmap(Memory, Size);
      continue;
    }
    Arena::Base = reinterpret_cast<uintptr_t>(Memory);
    Arena::Shadow = static_cast<uint8_t *>(Shadow);
    Arena::Size = Size;
    Arena::DeviceSize = Size / 4 * 3;
    Arena::NamesStart = Size / 8 * 5;
    H.Parts[0] = {Arena::Base + RedZone, Arena::Base + Arena::NamesStart, {}};
    H.NextName = Arena::Base + Arena::NamesStart;
    H.Parts[1] = {Arena::Base + Arena::DeviceSize + RedZone, Arena::Base + Size, {}};
    return true;
  }
  return false;
}

// What the heap of kernels counts for an allocation.
size_t heapRoom(size_t Size) { return (Size + 15) / 16 * 16; }

size_t room(size_t Size) { return (Size + Alignment - 1) / Alignment * Alignment + RedZone; }

void mark(uintptr_t At, size_t Size, bool Addressable) {
  uint8_t *Shadow = Arena::Shadow + (At - Arena::Base) / 8;
  std::memset(Shadow, Addressable ? 8 : 0, Size / 8);
  if (Size % 8)
    Shadow[Size / 8] = Addressable ? Size % 8 : 0;
}

void leaveQuarantine(Heap &H) {
  while (H.Quarantined > QuarantineBytes && !H.Quarantine.empty()) {
    const uintptr_t At = H.Quarantine.front();
    H.Quarantine.pop_front();
    const size_t Room = room(H.Known[At].Size);
    H.Quarantined -= Room;
    H.Parts[Arena::hostVisible(At)].Free.emplace(Room, At);
    H.Known.erase(At);
  }
}

} // namespace

bool Arena::addressableRange(size_t Offset, size_t N) {
  while (N) {
    const size_t In = Offset & 7, Here = std::min(N, 8 - In);
    if (In + Here > Shadow[Offset >> 3])
      return false;
    Offset += Here;
    N -= Here;
  }
  return true;
}

void *allocate(size_t Size, MemoryKind Kind) {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  if (!open(H) || Size > Arena::Size)
    return nullptr;
  if (Kind == MemoryKind::Heap &&
      (Size > H.HeapLimit || heapRoom(Size) > H.HeapLimit - H.HeapInUse))
    return nullptr;
  Part &P = H.Parts[Kind == MemoryKind::HostVisible];
  const size_t Room = room(Size);
  uintptr_t At = 0;
  // Only a near fit is taken, since what is left of it could not be found again.
  if (auto Fit = P.Free.lower_bound(Room); Fit != P.Free.end() && Fit->first <= Room + Room / 4) {
    At = Fit->second;
    P.Free.erase(Fit);
  } else if (P.End - P.Next >= Room) {
    At = P.Next;
    P.Next += Room;
  } else {
    return nullptr;
  }
  mark(At, Size, true);
  H.Known[At] = {At, Size, Kind, false};
  if (Kind == MemoryKind::Heap)
    H.HeapInUse += heapRoom(Size);
  else
    H.InUse += Size;
  return reinterpret_cast<void *>(At);
}

uintptr_t reserveName(size_t Size) {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  if (!open(H) || Size > Arena::Base + Arena::DeviceSize - H.NextName - RedZone)
    return 0;
  const uintptr_t At = H.NextName;
  H.NextName = std::min(At + room(Size), Arena::Base + Arena::DeviceSize - RedZone);
  return At;
}

bool release(void *Address, MemoryKind Kind) {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  const auto At = H.Known.find(reinterpret_cast<uintptr_t>(Address));
  if (At == H.Known.end() || At->second.Freed ||
      (Kind == MemoryKind::Heap) != (At->second.Kind == MemoryKind::Heap))
    return false;
  Allocation &A = At->second;
  A.Freed = true;
  mark(A.Begin, A.Size, false);
  if (Kind == MemoryKind::Heap)
    H.HeapInUse -= heapRoom(A.Size);
  else
    H.InUse -= A.Size;
  const size_t Room = room(A.Size);
  if (Room >= (1 << 20))
    madvise(Address, A.Size / 4096 * 4096, MADV_DONTNEED);
  H.Quarantine.push_back(A.Begin);
  H.Quarantined += Room;
  leaveQuarantine(H);
  return true;
}

Allocation findAllocation(uintptr_t Address) {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  const auto Behind = H.Known.upper_bound(Address);
  if (Behind == H.Known.begin())
    return Behind == H.Known.end() ? Allocation{} : Behind->second;
  const Allocation Before = std::prev(Behind)->second;
  if (Behind != H.Known.end() && Address >= Before.Begin + Before.Size &&
      Behind->second.Begin - Address < Address - Before.Begin - Before.Size)
    return Behind->second;
  return Before;
}

std::string describeAddress(uintptr_t Address, size_t Size) {
  if (Address < 4096)
    return "of the null pointer";
  const Allocation A = findAllocation(Address);
  if (!A.Begin)
    return "outside of all allocations";
  const std::string Block = "an allocation of " + std::to_string(A.Size) + " bytes";
  if (Address < A.Begin)
    return std::to_string(A.Begin - Address) + " bytes before " + Block;
  if (Address >= A.Begin + A.Size)
    return std::to_string(Address - A.Begin - A.Size) + " bytes past the end of " + Block;
  return (A.Freed                             ? "in freed memory: "
          : Address + Size > A.Begin + A.Size ? "across the end of "
                                              : "in ") +
         Block;
}

size_t deviceBytesInUse() {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  return H.InUse;
}

size_t heapLimit() {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  return H.HeapLimit;
}

void setHeapLimit(size_t Bytes) {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  H.HeapLimit = Bytes;
}

void registerHost(const void *Address, size_t Size) {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  H.Registered[reinterpret_cast<uintptr_t>(Address)] = Size;
}

bool unregisterHost(const void *Address) {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  return H.Registered.erase(reinterpret_cast<uintptr_t>(Address)) != 0;
}

bool isRegisteredHost(uintptr_t Address) {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  const auto Behind = H.Registered.upper_bound(Address);
  return Behind != H.Registered.begin() &&
         Address - std::prev(Behind)->first < std::prev(Behind)->second;
}

} // namespace cupel::emu

extern "C" void *cupelEmulateAllocate(size_t Size) {
  return cupel::emu::allocate(Size, cupel::emu::MemoryKind::Device);
}
extern "C" void cupelEmulateFree(void *Address) { cupel::emu::release(Address); }
