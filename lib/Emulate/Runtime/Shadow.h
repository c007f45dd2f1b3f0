// Shared memory of a block, and what is known of each of its bytes: which thread last wrote it and
// which two threads last read it, and when. As in compute-sanitizer's racecheck, two accesses of
// different threads, one of them a write, race unless a barrier lies between them. A clock of the
// block counts barriers of any kind; a barrier of a warp orders the threads of that warp only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cupel::emu {

enum class AccessKind { Read, Write, Atomic };

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
  void warpBarrier(unsigned Warp) { WarpBarrier[Warp] = tick(); }

  /// Checks and records an access at `Offset` of the window; reports what is wrong with it.
  template <AccessKind Kind>
  void access(size_t Offset, size_t Size, unsigned Thread, const void *Return);
  /// Whether a write over another thread's write changed the value: a race only then.
  void settle();
  /// Name of the variable at or before `Offset`, for messages.
  std::string nameOf(size_t Offset) const;

private:
  // Time (21 bits), thread (10 bits), atomic (1 bit).
  static unsigned timeOf(uint32_t Stamp) { return Stamp >> 11; }
  static unsigned threadOf(uint32_t Stamp) { return Stamp >> 1 & 1023; }
  static constexpr unsigned MaxTime = (1u << 21) - 2;

  unsigned tick() {
    if (Time == MaxTime)
      wrap();
    return ++Time;
  }
  void wrap();
  bool ordered(uint32_t Stamp, unsigned Thread) const {
    const unsigned At = timeOf(Stamp), Other = threadOf(Stamp);
    return At < Barrier || Other == Thread ||
           (Other / 32 == Thread / 32 && At < WarpBarrier[Thread / 32]);
  }
  void clearValid();
  void report(const char *What, size_t Offset, size_t Size, unsigned Thread, unsigned Other,
              const void *Return);
  [[noreturn]] void outOfBounds(size_t Offset, size_t Size, bool Write, const void *Return);
  void uninitialised(size_t Offset, size_t Size, const void *Return);

  char *Memory = nullptr;
  uint8_t *Valid = nullptr;
  uint32_t *Writer = nullptr, *ReaderA = nullptr, *ReaderB = nullptr;
  unsigned Time = 1, Start = 1, Barrier = 1;
  unsigned WarpBarrier[32] = {};
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
