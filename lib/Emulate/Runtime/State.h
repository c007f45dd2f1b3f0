// What the parts of the run-time share: a launch, its blocks, their threads, and what the thread of
// the host that runs them keeps at hand.
#pragma once

#include "Shadow.h"
#include "cupel/emulate/Runtime.h"

#include <atomic>
#include <boost/context/detail/fcontext.hpp>
#include <memory>
#include <string>
#include <vector>

/// threadIdx, blockIdx, blockDim, gridDim of the thread of the kernel that runs here; read by the
/// shadow headers through the TLS offset of this very name.
extern "C" __thread unsigned cupelEmulatedIndex[12] __attribute__((tls_model("initial-exec")));

namespace cupel::emu {

using boost::context::detail::fcontext_t;

constexpr unsigned WarpSize = 32, MaxThreads = 1024, NamedBarriers = 16,
                   TileBarriers = MaxThreads / 64; ///< Of tiles of more than a warp.

struct Block;
struct Host;

struct AsyncCopy {
  void *To;
  const void *From;
  size_t Size, Zeroed;
  const void *Return = nullptr; ///< Of the call that began it.

  /// What it will write at `Byte` of its destination.
  char byteAt(const char *Byte) const {
    const size_t At = Byte - static_cast<char *>(To);
    return At < Size ? static_cast<const char *>(From)[At] : 0;
  }
};

/// One thread of a block: a fiber.
struct Thread {
  enum State : uint8_t {
    Unstarted,
    Runnable,
    AtBarrier,
    AtNamed,
    AtWarp,
    AtConverge,
    AtGrid,
    AtEvent,
    Done
  };

  fcontext_t Context = nullptr;
  Block *Owner = nullptr;
  unsigned Linear = 0;
  Extent Index;
  State Now = Done;
  const void *Where = nullptr; ///< Of the call in which it waits, or waited last.
  void **Frame = nullptr;      ///< Of the run-time's function in which it waits.
  void **Base = nullptr;       ///< Of the fiber's main function.

  // The collective in which it waits.
  WarpOp Op = WarpOp::Sync;
  unsigned Mask = 0;
  WarpArguments In;
  WarpResult Out;

  unsigned Named = 0;     ///< The named barrier in which it waits.
  unsigned ArrivedAt = 0; ///< Named barriers, a bit each, at which it arrived and did not wait.
  const char *EventName = nullptr;
  bool (*Ready)(void *) = nullptr;
  void *ReadyArgument = nullptr;

  std::vector<AsyncCopy> Copies;
  std::vector<unsigned> Groups; ///< Sizes of the committed groups of copies, oldest first.
  unsigned Committed = 0;       ///< Copies in those groups.

  /// The frame below one of its stack's; nullptr behind the kernel's.
  void **callerOf(void **At) const {
    auto *Next = static_cast<void **>(*At);
    return Next > At && Next < Base ? Next : nullptr;
  }
  unsigned warp() const { return Linear / WarpSize; }
  unsigned lane() const { return Linear % WarpSize; }
};

struct Warp {
  unsigned Alive = 0, Runnable = 0, Yielded = 0, Waiting = 0, Converging = 0, AtBarrier = 0;
};

struct Launch {
  uint64_t Number = 0; ///< Of this launch in the process; from 1.
  Site Where;
  LaunchShape Shape;
  LaunchBody Body;
  unsigned Threads = 0;
  uint64_t Blocks = 0;
  size_t SharedLimit = 48 << 10;            ///< Of static and dynamic shared memory together.
  uint64_t OrderFactor = 1, OrderStart = 0; ///< Of the permutation of the blocks.
  std::atomic<uint64_t> NextBlock{0};
  std::atomic<bool> Failed{false};
  std::atomic<bool> ExitedTold{false}; ///< That a mask names lanes that have exited.

  /// The number of the block that runs as the I-th.
  uint64_t inOrder(uint64_t I) const {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(I) * OrderFactor + OrderStart) %
                                 Blocks);
  }
};

/// A block that is alive: shared memory, threads, barriers. Used again for later blocks.
struct Block {
  Host *Runner = nullptr;
  Launch *Of = nullptr;
  uint64_t LaunchNumber = 0;
  Extent Index;
  SharedWindow Shared;
  std::vector<Thread> Threads;
  std::vector<Warp> Warps;
  char *Stacks = nullptr;
  unsigned StackCount = 0;
  unsigned Alive = 0;

  unsigned Arrived = 0, PredicateCount = 0, VoteResult = 0;
  Vote VoteKind = Vote::None;
  const Thread *BarrierFirst = nullptr; ///< That came to it.
  struct NamedBarrier {
    unsigned Arrived = 0, Threads = 0;
    unsigned Left = 0; ///< Threads that arrived and have exited.
  } Named[NamedBarriers + TileBarriers];
  unsigned AtGrid = 0;
  unsigned EventWaiters = 0;

  Block() = default;
  Block(const Block &) = delete;
  ~Block();
  void start(Host &H, Launch &L, uint64_t Number);
  void makeRunnable(Thread &T);
  void discardFibers();
};

/// A thread of the host that runs blocks.
struct Host {
  fcontext_t Scheduler = nullptr;
  Launch *Of = nullptr;
  std::vector<std::unique_ptr<Block>> Pool;
  std::vector<Block *> Resident;
  uint64_t ResidentAlive = 0; ///< Threads alive in resident blocks.
  uint64_t GridArrived = 0;
  uint64_t Idle =
      0; ///< Times that a thread ran since something last changed, where threads may spin.
};

/// What the checks of memory need at each access.
struct View {
  Thread *Current = nullptr;
  uintptr_t StackLow = 0;
  uintptr_t SharedLow = 0;
  int64_t Budget = 0; ///< Accesses until budgetOver().
  bool Progress = false;
  bool WritePending = false; ///< See SharedWindow::settle.
  uintptr_t Observed = 0;    ///< Of the volatile object that is accessed next.
  /// The first of the accesses that are looked at for signs of spinning.
  uintptr_t Sampled[4] = {};
  unsigned SampledCount = 0;
};
extern thread_local constinit View Here __attribute__((tls_model("initial-exec")));

constexpr size_t StackSize = 128 << 10;

/// Runs blocks of the launch on this thread of the host until there are none left.
void runBlocks(Host &H, Launch &L);
/// Leaves the fiber, at a call of the submission; returns when the scheduler resumes it.
void switchOut(Thread::State Next, const void *Where, void **Frame);
/// Of the function of the run-time that says so.
#define FRAME static_cast<void **>(__builtin_frame_address(0))
/// Ends the kernel; the fiber is never resumed.
[[noreturn]] void abandonKernel();
void budgetOver(uintptr_t Address, const void *Return);
void threadExits(Thread &T);
/// Whether two threads, at their `Frame`s, are in one call in the source. A call in a function that
/// is called from two places is two, as it is for a GPU that has the function inlined.
bool isSameCall(const Thread &A, const Thread &B);
/// Two different calls as a sentence names them, each with the line where the ways to them part:
/// "this one", "one in line 9 (called from line 12)".
struct PartedCalls {
  std::string Here, There;
};
PartedCalls describeParted(const Thread &Here, const Thread &There);
void barrierThreadExits(Block &B);
void warpThreadExits(Block &B, Thread &T);
void namedThreadExits(Block &B, const Thread &T);
/// Lets a group of lanes go that meet in activeLanes(), when the warp's others all wait elsewhere.
void releaseConverged(Block &B, size_t WarpIndex);
void releaseGrid(Host &H);
void askWaiters(Block &B);
void finishCopies(Thread &T);
/// Forgets copies that never end.
void dropCopies(Thread &T);
/// As checkRead and checkWrite, for a call of the submission that lies further back.
void checkRead(const void *Address, size_t Size, const void *Return);
void checkWrite(const void *Address, size_t Size, const void *Return);

/// Copies that libcupel-emulate counts for its benchmark.
extern std::atomic<uint64_t> AccessCount, ThreadCount;

} // namespace cupel::emu
