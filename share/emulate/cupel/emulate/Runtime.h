/// What an emulated submission calls in libcupel-emulate.so. The rewriter (lib/Emulate) writes the
/// calls of Launch.h and Shared.h; the shadow headers write the others. No CUDA header is needed
/// here, so that the library's own sources can share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>

// A barrier or collective is told by its place in the code: the optimizer may not make two of one,
// as it would where the branches in front of it and behind it have one condition (for a GPU Clang
// marks them the same), nor one of two that end both branches of a condition.
#ifdef __clang__
#define CUPEL_CONVERGENT __attribute__((convergent, nomerge))
#else
#define CUPEL_CONVERGENT
#endif

namespace cupel::emu {

/// What a thread of a kernel may wait for, decided on the AST together with all it calls.
enum class Waits {
  Never,    ///< Nothing: its threads run one after another, without fibers.
  Barriers, ///< Barriers, shuffles, votes, groups: within the block.
  Anything, ///< Also memory that other threads write, or the grid: many blocks stay alive at once.
};

/// A launch or a registered kernel in the submission's text.
struct Site {
  const char *Kernel; ///< nullptr: a pointer whose kernel is looked up among the registered ones.
  unsigned Line;
  Waits Wait;
  unsigned MaxThreads = 0;       ///< Of a block, by the kernel's __launch_bounds__; 0: it has none.
  const char *Mangled = nullptr; ///< Where the launch has no address of the function.
};

struct Extent {
  unsigned X = 1, Y = 1, Z = 1;
};

struct LaunchShape {
  Extent Grid, Block;
  size_t SharedBytes = 0;
  void *Stream = nullptr;
  bool Cooperative = false;
};

/// The kernel's arguments, kept until the launch has run, and a call of it with copies of them.
struct LaunchBody {
  void (*Run)(void *Arguments) = nullptr;
  std::shared_ptr<void> Arguments;
  size_t Size = 0; ///< Bytes of the arguments, which the kernel may read.
};

/// Launches a kernel. `Function` identifies it for its attributes; may be nullptr. Returns a
/// cudaError_t.
int launchKernel(const Site &Where, const void *Function, const LaunchShape &Shape,
                 LaunchBody Body);

/// Launches a kernel of a known type whose arguments are given by their addresses.
using PointerLaunch = int (*)(const void *Function, const LaunchShape &Shape, void **Arguments);
void registerKernel(const Site &Where, const void *Function, PointerLaunch Launch);
/// cudaLaunchKernel with a `const void *`: cudaErrorInvalidDeviceFunction if it is not registered.
int launchRegistered(const void *Function, const LaunchShape &Shape, void **Arguments);

constexpr int MultiprocessorCount = 132; ///< Of the device that is emulated.

// Shared memory.
/// A number for one `__shared__` variable of one instance of its function, kept in `Id`, which is 0
/// until it has one.
unsigned declareSharedOnce(unsigned &Id, size_t Size, size_t Align, const char *Name);
void *sharedAt(unsigned Id);
void *dynamicSharedAt();
bool isShared(const void *Address);
uint32_t sharedOffset(const void *Address);
void *sharedAddress(uint32_t Offset);

// Waiting.
enum class Vote { None, Count, And, Or };
CUPEL_CONVERGENT int blockBarrier(Vote Kind, int Predicate);
CUPEL_CONVERGENT void namedBarrier(unsigned Id, unsigned Threads, bool Wait);
/// Of the tile of `Threads` threads, more than a warp, that the caller is one of.
CUPEL_CONVERGENT void tileBarrier(unsigned Threads);
CUPEL_CONVERGENT void gridBarrier();
/// Lets others run: nanosleep, spinning.
void yieldThread();

/// A thing on which threads of a block wait until a condition that another thread makes true:
/// mbarrier, pipeline. `Ready` is asked again after each event of the block.
void waitUntil(const char *What, bool (*Ready)(void *), void *Argument);
/// An event as above: waiters ask again, and what was written before is ordered before.
void signalBlock();

enum class WarpOp {
  Sync,
  Shuffle,
  Ballot,
  All,
  Any,
  Uni,
  MatchAny,
  MatchAll,
  AddU,
  MinU,
  MaxU,
  MinS,
  MaxS,
  And,
  Or,
  Xor,
  AddF,
  MinF,
  MaxF,
};
struct WarpArguments {
  uint64_t Value = 0;
  int Source = 0; ///< Lane whose value is read, for Shuffle.
};
struct WarpResult {
  uint64_t Value = 0;
  bool Flag = false; ///< The predicate of MatchAll.
};
CUPEL_CONVERGENT WarpResult warpCollective(WarpOp Op, unsigned Mask, WarpArguments Arguments);
CUPEL_CONVERGENT unsigned activeLanes();
/// All lanes of the warp show each other `Size` bytes: those of lane I at All + I * Size.
void gatherWarp(const void *Own, void *All, size_t Size);

// Memory that the shadow headers touch themselves, which no compiler instruments.
void checkRead(const void *Address, size_t Size);
void checkWrite(const void *Address, size_t Size);
void checkAligned(const void *Address, size_t Alignment);
/// Whether `Symbol` can be a variable of the device; else tells so and sets the last error.
bool isSymbol(const char *Function, const volatile void *Symbol);
/// Whether a variable of the device has the bytes that a copy names; else tells so and sets the
/// last error.
bool checkSymbol(const char *Function, size_t SymbolSize, size_t Size, size_t Offset);
/// What a variable of the device is for code of the host that names it. `Readable`: it is const.
void *hostName(const volatile void *Variable, size_t Size, bool Readable);
/// These variables are `__constant__`: the names that the instrumentation gives them.
bool markConstants(std::initializer_list<const char *> Names);
/// The next access to this object is volatile.
void observe(const volatile void *Object);
/// Of any scope: what the thread has written comes before what it writes behind it.
void fence();
/// Begins an atomic operation: checks the access and reads.
unsigned short atomicLoad(unsigned short *Address);
unsigned atomicLoad(unsigned *Address);
unsigned long long atomicLoad(unsigned long long *Address);
unsigned __int128 atomicLoad(unsigned __int128 *Address);
/// Writes `New` if `Expected` is still there; returns what was there.
unsigned short atomicSwap(unsigned short *Address, unsigned short Expected, unsigned short New);
unsigned atomicSwap(unsigned *Address, unsigned Expected, unsigned New);
unsigned long long atomicSwap(unsigned long long *Address, unsigned long long Expected,
                              unsigned long long New);
unsigned __int128 atomicSwap(unsigned __int128 *Address, unsigned __int128 Expected,
                             unsigned __int128 New);

// The thread.
bool inKernel();
unsigned threadLinear();
unsigned laneId();
unsigned warpId();
unsigned dynamicSharedSize();
bool gridSyncAllowed();
uint64_t deviceClock();
/// Ends the kernel with an error of this kind: assert, trap, what is not emulated.
[[noreturn]] void failKernel(const char *Kind, const char *Text);

/// Copies that have no effect before they are waited for (cp.async).
void copyAsync(void *To, const void *From, size_t Size, size_t Zeroed);
void commitCopies();
void waitCopies(unsigned Pending);
void waitAllCopies();

} // namespace cupel::emu
