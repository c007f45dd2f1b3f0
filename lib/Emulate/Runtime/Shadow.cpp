#include "Shadow.h"
#include "Errors.h"
#include "State.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

namespace cupel::emu {

namespace {
struct Declared {
  size_t Size, Align;
  const char *Name;
};
} // namespace

static std::mutex &declaredLock() {
  static std::mutex Lock;
  return Lock;
}
static std::vector<Declared> &declared() {
  static std::vector<Declared> All{{0, 1, ""}};
  return All;
}

unsigned declareSharedOnce(unsigned &Id, size_t Size, size_t Align, const char *Name) {
  const std::lock_guard<std::mutex> Guard(declaredLock());
  if (const unsigned Known = __atomic_load_n(&Id, __ATOMIC_ACQUIRE))
    return Known;
  declared().push_back({Size, Align, Name});
  const unsigned New = declared().size() - 1;
  __atomic_store_n(&Id, New, __ATOMIC_RELEASE);
  return New;
}

static Declared declaration(unsigned Id) {
  const std::lock_guard<std::mutex> Guard(declaredLock());
  return declared()[Id];
}

template <class T> static T *map(size_t Count) {
  void *At = mmap(nullptr, Count * sizeof(T), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (At == MAP_FAILED)
    throw std::bad_alloc();
  return static_cast<T *>(At);
}

SharedWindow::SharedWindow()
    : Memory(map<char>(WindowSize)), Valid(map<uint8_t>(WindowSize)),
      Writer(map<uint32_t>(WindowSize)), ReaderA(map<uint32_t>(WindowSize)),
      ReaderB(map<uint32_t>(WindowSize)) {}

SharedWindow::~SharedWindow() {
  munmap(Memory, WindowSize);
  munmap(Valid, WindowSize);
  for (uint32_t *Stamps : {Writer, ReaderA, ReaderB})
    munmap(Stamps, WindowSize * sizeof(uint32_t));
}

// What uninitialised shared memory holds: NaN as a float of any size, as integers far off any
// range, and not what outputs that nobody wrote hold. Up to 7 bytes more are written, where no
// variable is.
static void poison(char *At, size_t Size) {
  constexpr uint64_t Poison = 0xffefffefffefffefULL;
  for (size_t I = 0; I < Size; I += sizeof(Poison))
    std::memcpy(At + I, &Poison, sizeof(Poison));
}

void SharedWindow::clearValid() {
  std::memset(Valid, 0, StaticEnd);
  std::memset(Valid + DynamicStart, 0, DynamicSize);
  for (unsigned Id : LaidOut)
    Offsets[Id] = 0;
  LaidOut.clear();
  StaticEnd = Lead;
  StaticBytes = 0;
}

void SharedWindow::startBlock(size_t Dynamic, uint64_t Launch) {
  if (Launch != LaunchNumber || Dynamic != DynamicSize) {
    clearValid();
    LaunchNumber = Launch;
    DynamicSize = Dynamic;
    std::memset(Valid + DynamicStart, 1, Dynamic);
  }
  poison(Memory + Lead, StaticEnd - Lead);
  poison(Memory + DynamicStart, DynamicSize);
  Start = Barrier = tick();
  AnyAcquired = false;
  std::fill(std::begin(WarpBarrier), std::end(WarpBarrier), Start);
}

// The clock is full: what happened before keeps only whether it wrote.
void SharedWindow::wrap() {
  const unsigned OldStart = Start;
  const auto Age = [&](size_t From, size_t To) {
    for (size_t I = From; I < To; ++I) {
      if (timeOf(Writer[I]) != InFlight)
        Writer[I] = timeOf(Writer[I]) >= OldStart ? 1u << 11 : 0;
      ReaderA[I] = ReaderB[I] = 0;
    }
  };
  Age(0, StaticEnd);
  Age(DynamicStart, DynamicStart + DynamicSize);
  Time = Start = Barrier = 1;
  std::fill(std::begin(WarpBarrier), std::end(WarpBarrier), 1u);
  for (auto *Times : {Released, Acquired})
    std::fill(Times, Times + std::size(Released), 0u);
  std::fill(std::begin(WarpReleased), std::end(WarpReleased), 0u);
}

bool SharedWindow::orderedByFlag(uint32_t Stamp, unsigned Thread) const {
  if (!AnyAcquired)
    return false;
  const unsigned At = timeOf(Stamp), Other = threadOf(Stamp);
  return (At < Acquired[Thread] && At < std::max(Released[Other], WarpReleased[Other / 32])) ||
         ((Stamp & 1) && At <= Acquired[Thread]);
}

void SharedWindow::acquire(uint32_t Flag, unsigned Thread) {
  if (threadOf(Flag) == Thread || timeOf(Flag) < Start || timeOf(Flag) == InFlight)
    return;
  Acquired[Thread] = std::max(Acquired[Thread], timeOf(Flag));
  AnyAcquired = true;
}

void SharedWindow::shareAcquired(unsigned Warp) {
  unsigned *First = Acquired + Warp * 32;
  std::fill(First, First + 32, *std::max_element(First, First + 32));
}

char *SharedWindow::variable(unsigned Id, size_t Limit) {
  if (Id < Offsets.size() && Offsets[Id])
    return Memory + Offsets[Id];
  const Declared D = declaration(Id);
  if (Id >= Offsets.size())
    Offsets.resize(Id + 1);
  const size_t Align = std::max<size_t>(D.Align, 128);
  const size_t At = (StaticEnd + Align - 1) / Align * Align;
  // 64 bytes at least lie between two variables, so that an index just past the end is seen.
  if (StaticBytes + D.Size > std::min<size_t>(Limit, 48 << 10) || At + D.Size + 64 > DynamicStart)
    return nullptr;
  StaticBytes += D.Size;
  StaticEnd = At + D.Size + 64;
  std::memset(Valid + At, 1, D.Size);
  poison(Memory + At, D.Size);
  Offsets[Id] = At;
  LaidOut.push_back(Id);
  return Memory + At;
}

SharedWindow::Place SharedWindow::placeOf(size_t Offset) const {
  // An index that is too small for the dynamic memory is more likely than one so far too large.
  if (Offset >= DynamicStart - 4096)
    return {DynamicStart, DynamicSize,
            "dynamic shared memory of " + std::to_string(DynamicSize) + " bytes"};
  unsigned Best = LaidOut.empty() ? 0 : LaidOut.front();
  for (unsigned Id : LaidOut)
    if (Offsets[Id] <= Offset && Offsets[Id] > Offsets[Best])
      Best = Id;
  if (!Best)
    return {Lead, 0, "shared memory"};
  const Declared D = declaration(Best);
  return {Offsets[Best], D.Size,
          "shared variable '" + std::string(D.Name) + "' of " + std::to_string(D.Size) + " bytes"};
}

std::string SharedWindow::describe(size_t Offset) const {
  const Place At = placeOf(Offset);
  return "at byte " + std::to_string(Offset - At.Begin) + " of " + At.Name;
}

static std::string position(size_t Offset, size_t Begin, size_t Size) {
  if (Offset < Begin)
    return std::to_string(Begin - Offset) + " bytes before ";
  return Offset >= Begin + Size ? std::to_string(Offset - Begin - Size) + " bytes past the end of "
                                : "across the end of ";
}

void SharedWindow::outOfBounds(size_t Offset, size_t Size, bool Write, const void *Return) {
  const Place At = placeOf(Offset);
  reportError("shared-out-of-bounds",
              std::string(Write ? "writes " : "reads ") + std::to_string(Size) + " bytes, " +
                  position(Offset, At.Begin, At.Size) + At.Name,
              Return);
  abandonKernel();
}

void SharedWindow::uninitialised(size_t Offset, const void *Return) {
  reportError("shared-uninitialised",
              "reads what no thread of the block has written, " + describe(Offset), Return,
              Severity::Note);
}

void SharedWindow::reportRace(const std::string &What, const std::string &Deed, size_t Offset,
                              unsigned Thread, unsigned Other, const void *Return) {
  const Extent &B = Here.Current->Owner->Of->Shape.Block;
  reportErrorOf(Thread, "shared-race",
                What + " " + describe(Offset) + ", where thread (" + std::to_string(Other % B.X) +
                    "," + std::to_string(Other / B.X % B.Y) + "," +
                    std::to_string(Other / B.X / B.Y) + ") " + Deed,
                Return);
}

// The copy of a thread that will write a byte.
static const AsyncCopy *findCopy(unsigned Thread, const char *Byte) {
  for (const AsyncCopy &C : Here.Current->Owner->Threads[Thread].Copies)
    if (const size_t At = Byte - static_cast<char *>(C.To); At < C.Size + C.Zeroed)
      return &C;
  return nullptr;
}

template <AccessKind Kind>
void SharedWindow::access(size_t Offset, size_t Size, unsigned Thread, const void *Return) {
  if (Here.WritePending)
    settle();
  if (Size == 0)
    return;
  constexpr bool Writes = Kind == AccessKind::Write || Kind == AccessKind::Atomic;
  constexpr bool Flag = Kind == AccessKind::Atomic || Kind == AccessKind::Observe;
  const size_t Last = Offset + Size - 1;
  if (Last >= WindowSize || !(Valid[Offset] & Valid[Last]))
    outOfBounds(Offset, Size, Writes, Return);
  const uint32_t Stamp = stamp(Time, Thread, Flag);
  bool Raced = false;
  for (size_t I = Offset; I <= Last; ++I) {
    const uint32_t W = Writer[I];
    if (W != Stamp) [[likely]] {
      if (Flag && (W & 1))
        acquire(W, Thread);
      if (Kind != AccessKind::Write && timeOf(W) < Start && W != 1u << 11) [[unlikely]] {
        if (!Raced)
          uninitialised(Offset, Return);
        Raced = true;
      } else if (!ordered(W, Thread) && !Raced && timeOf(W) >= Start && !(Flag && (W & 1)) &&
                 !orderedByFlag(W, Thread)) [[unlikely]] {
        Raced = true;
        if (timeOf(W) == InFlight) {
          const AsyncCopy *Copy = findCopy(threadOf(W), Memory + I);
          reportRace(Writes ? "writes" : "reads",
                     "copies asynchronously" + (Copy ? placeText(Copy->Return) : "") +
                         " and has not waited for it",
                     Offset, Thread, threadOf(W), Return);
        } else if (Kind == AccessKind::Write && !(W & 1) && Size <= sizeof(Pending.Before)) {
          // Two threads that write the same value are no error; the value is known afterwards.
          Pending = {Offset, Size, Thread, threadOf(W), Return, {}};
          std::memcpy(Pending.Before, Memory + Offset, Size);
          Here.WritePending = true;
        } else {
          reportRace(Writes ? "writes" : "reads",
                     Writes ? "writes as well without a barrier between"
                            : "writes without a barrier between",
                     Offset, Thread, threadOf(W), Return);
        }
      }
    }
    if constexpr (Writes) {
      for (const uint32_t R : {ReaderA[I], ReaderB[I]})
        if (timeOf(R) >= Start && !Raced && !ordered(R, Thread) &&
            !(Kind == AccessKind::Atomic && (R & 1)) && !orderedByFlag(R, Thread)) [[unlikely]] {
          Raced = true;
          reportRace("writes", "reads without a barrier between", Offset, Thread, threadOf(R),
                     Return);
        }
      // A plain write stays known until the block's next barrier: atomics of its own thread or warp
      // behind it, which it is ordered with, order it for no other warp.
      if (Kind != AccessKind::Atomic || (W & 1) || timeOf(W) < Barrier)
        Writer[I] = Stamp;
    } else if (ReaderA[I] != Stamp) {
      // Two readers are kept, of two warps where there are two.
      const uint32_t A = ReaderA[I], B = ReaderB[I];
      const bool AOld = ordered(A, Thread), BOld = ordered(B, Thread);
      if (AOld ||
          (!BOld && threadOf(A) / 32 == threadOf(B) / 32 && threadOf(A) / 32 != Thread / 32))
        ReaderA[I] = Stamp;
      else if (BOld)
        ReaderB[I] = Stamp;
    }
  }
}

template void SharedWindow::access<AccessKind::Read>(size_t, size_t, unsigned, const void *);
template void SharedWindow::access<AccessKind::Write>(size_t, size_t, unsigned, const void *);
template void SharedWindow::access<AccessKind::Atomic>(size_t, size_t, unsigned, const void *);
template void SharedWindow::access<AccessKind::Observe>(size_t, size_t, unsigned, const void *);

void SharedWindow::beginCopy(size_t Offset, size_t Size, size_t Zeroed, const void *From,
                             unsigned Thread, const void *Return) {
  if (Here.WritePending)
    settle();
  const size_t All = Size + Zeroed;
  if (All == 0)
    return;
  if (Offset + All > WindowSize || !(Valid[Offset] & Valid[Offset + All - 1]))
    outOfBounds(Offset, All, true, Return);
  const AsyncCopy Own{Memory + Offset, From, Size, Zeroed};
  bool Raced = false;
  for (size_t I = Offset; I < Offset + All; ++I) {
    const uint32_t W = Writer[I];
    // Threads that write what is there already, or copy the same, are no error.
    if (timeOf(W) == InFlight) {
      const AsyncCopy *Other = findCopy(threadOf(W), Memory + I);
      if (!Raced && threadOf(W) != Thread && Other &&
          Other->byteAt(Memory + I) != Own.byteAt(Memory + I)) {
        Raced = true;
        reportRace("copies asynchronously", "copies other values at the same time", Offset, Thread,
                   threadOf(W), Return);
      }
      continue;
    }
    if (!Raced && timeOf(W) >= Start && !ordered(W, Thread) && !orderedByFlag(W, Thread) &&
        Own.byteAt(Memory + I) != Memory[I]) {
      Raced = true;
      reportRace("copies asynchronously", "writes without a barrier between", Offset, Thread,
                 threadOf(W), Return);
    }
    for (const uint32_t R : {ReaderA[I], ReaderB[I]})
      if (!Raced && timeOf(R) >= Start && !ordered(R, Thread) && !orderedByFlag(R, Thread)) {
        Raced = true;
        reportRace("copies asynchronously", "reads without a barrier between", Offset, Thread,
                   threadOf(R), Return);
      }
    Writer[I] = stamp(InFlight, Thread, false);
  }
}

void SharedWindow::endCopy(size_t Offset, size_t Size, unsigned Thread) {
  for (size_t I = Offset; I < Offset + Size; ++I)
    if (Writer[I] == stamp(InFlight, Thread, false))
      Writer[I] = stamp(Time, Thread, false);
}

void SharedWindow::settle() {
  Here.WritePending = false;
  if (std::memcmp(Pending.Before, Memory + Pending.Offset, Pending.Size) != 0)
    reportRace("writes", "writes another value without a barrier between", Pending.Offset,
               Pending.Thread, Pending.Other, Pending.Return);
}

void *sharedAt(unsigned Id) {
  if (!Here.Current)
    failKernel("not-emulated", "a shared variable is used outside of a kernel");
  Block &B = *Here.Current->Owner;
  char *At = B.Shared.variable(Id, B.Of->SharedLimit);
  if (!At)
    failKernel("launch-refused", "the kernel's static shared memory is over the limit of 48 KiB");
  return At;
}

void *dynamicSharedAt() {
  if (!Here.Current)
    failKernel("not-emulated", "shared memory is used outside of a kernel");
  return Here.Current->Owner->Shared.base() + SharedWindow::DynamicStart;
}

bool isShared(const void *Address) {
  return Here.Current &&
         reinterpret_cast<uintptr_t>(Address) - Here.SharedLow < SharedWindow::WindowSize;
}

uint32_t sharedOffset(const void *Address) {
  return reinterpret_cast<uintptr_t>(Address) - Here.SharedLow;
}

void *sharedAddress(uint32_t Offset) { return reinterpret_cast<void *>(Here.SharedLow + Offset); }

} // namespace cupel::emu
