// Shared memory of a block, and what is known of each of its bytes: which thread last wrote it and
// which two threads last read it, and when. As in compute-sanitizer's racecheck, two accesses of
// different threads, one of them a write, race unless a barrier lies between them. A clock of the
// block counts barriers of any kind; a barrier of a warp orders the threads of that warp only.
//
// Flags order too: a thread's accesses before a fence come before those of another thread behind
// its volatile or atomic read of what the first wrote, volatile or atomic, behind the fence
// (programming guide, "Memory Fence Functions"). Who learns of the flag by others, or by its warp,
// is as well off. What a flag orders is taken for all that was behind a fence at that time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cupel::emu {

enum class AccessKind {
  Read,
  Write,
  Atomic,
  Observe, ///< A volatile read.
};

class SharedWindow {
public:
  static constexpr size_t Lead = 4096; ///< Never valid, for negative indices.
  static constexpr size_t DynamicStart = 160 << 10, WindowSize = 512 << 10;

  SharedWindow();
  ~SharedWindow();
  SharedWindow(const SharedWindow &) = delete;

  char *base() const { return Memory; }
  /// A new block begins: nothing is written, the clock goes on. `DynamicSize` bytes of dynamic
  /// shared memory are valid.
  void startBlock(size_t DynamicSize, uint64_t Launch);
  /// Address of the variable, laid out at its first use; nullptr when `Limit` bytes are exceeded.
  char *variable(unsigned Id, size_t Limit);
  size_t dynamicSize() const { return DynamicSize; }

  void blockBarrier() { Barrier = tick(); }
  void warpBarrier(unsigned Warp) {
    WarpBarrier[Warp] = tick();
    if (AnyAcquired)
      shareAcquired(Warp);
  }
  void fence(unsigned Thread) {
    Released[Thread] = tick();
    WarpReleased[Thread / 32] = WarpBarrier[Thread / 32];
  }
  /// Whether a volatile write of the thread is a flag: it has a fence behind the last barrier.
  bool writesFlags(unsigned Thread) const { return Released[Thread] > Barrier; }

  /// Checks and records an access at `Offset` of the window; reports what is wrong with it.
  template <AccessKind Kind>
  void access(size_t Offset, size_t Size, unsigned Thread, const void *Return);
  /// An asynchronous copy from `From` begins, of which `Zeroed` bytes are zeros: until it ends
  /// nobody may touch the bytes.
  void beginCopy(size_t Offset, size_t Size, size_t Zeroed, const void *From, unsigned Thread,
                 const void *Return);
  void endCopy(size_t Offset, size_t Size, unsigned Thread);
  /// Whether a write over another thread's write changed the value: a race only then.
  void settle();

private:
  // Time (21 bits), thread (10 bits), atomic or of a flag (1 bit).
  static unsigned timeOf(uint32_t Stamp) { return Stamp >> 11; }
  static unsigned threadOf(uint32_t Stamp) { return Stamp >> 1 & 1023; }
  static constexpr unsigned MaxTime = (1u << 21) - 2;
  /// Of what an asynchronous copy will write.
  static constexpr unsigned InFlight = MaxTime + 1;
  static uint32_t stamp(unsigned Time, unsigned Thread, bool Flag) {
    return Time << 11 | Thread << 1 | Flag;
  }

  unsigned tick() {
    if (Time == MaxTime)
      wrap();
    return ++Time;
  }
  void wrap();
  bool ordered(uint32_t Stamp, unsigned Thread) const {
    const unsigned At = timeOf(Stamp), Other = threadOf(Stamp);
    return At < Barrier || (Other == Thread && At != InFlight) ||
           (Other / 32 == Thread / 32 && At < WarpBarrier[Thread / 32]);
  }
  /// Whether a flag orders it before what the thread does now.
  bool orderedByFlag(uint32_t Stamp, unsigned Thread) const;
  void acquire(uint32_t Flag, unsigned Thread);
  void shareAcquired(unsigned Warp);
  void clearValid();
  /// A variable, or the dynamic shared memory, and where it begins in the window.
  struct Place {
    size_t Begin, Size;
    std::string Name;
  };
  /// The one at or before `Offset`, else the first.
  Place placeOf(size_t Offset) const;
  /// "at byte 4 of shared variable 's' of 128 bytes". Without the size of the access: the compiler
  /// reads and writes a vector by its members, or several members at once.
  std::string describe(size_t Offset) const;
  /// That `Thread` does `What` where `Other` does `Deed`.
  void reportRace(const std::string &What, const std::string &Deed, size_t Offset, unsigned Thread,
                  unsigned Other, const void *Return);
  [[noreturn]] void outOfBounds(size_t Offset, size_t Size, bool Write, const void *Return);
  void uninitialised(size_t Offset, const void *Return);

  char *Memory = nullptr;
  uint8_t *Valid = nullptr;
  uint32_t *Writer = nullptr, *ReaderA = nullptr, *ReaderB = nullptr;
  unsigned Time = 1, Start = 1, Barrier = 1;
  unsigned WarpBarrier[32] = {};
  unsigned Released[1024] = {};   ///< A thread's last fence.
  unsigned WarpReleased[32] = {}; ///< The warp's last barrier before the last fence of one of it.
  unsigned Acquired[1024] = {};   ///< The newest flag that a thread has read.
  bool AnyAcquired = false;
  size_t DynamicSize = 0, StaticEnd = Lead, StaticBytes = 0;
  uint64_t LaunchNumber = 0;
  std::vector<uint32_t> Offsets; ///< By id of the variable; 0: not laid out.
  std::vector<unsigned> LaidOut;

  struct {
    size_t Offset, Size;
    unsigned Thread, Other;
    const void *Return;
    char Before[16];
  } Pending = {};
};

} // namespace cupel::emu
