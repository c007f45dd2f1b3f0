// What Clang's AddressSanitizer instrumentation calls before each access of the submission's code
// (-asan-memory-access-callback-prefix=__cupel_), and the same for what the shadow headers do.

#include "DeviceMemory.h"
#include "Errors.h"
#include "Globals.h"
#include "HostNames.h"
#include "State.h"

#include <cstring>
#include <link.h>
#include <mutex>
#include <optional>

namespace cupel::emu {

#define RETURN_ADDRESS __builtin_return_address(0)

namespace {
struct Segment {
  uintptr_t Begin, End, File;
  bool Writable;
};
} // namespace

static std::optional<Segment> segmentOf(uintptr_t Address) {
  static std::mutex Lock;
  static std::vector<Segment> Known;
  const std::lock_guard<std::mutex> Guard(Lock);
  const auto Find = [&]() -> std::optional<Segment> {
    for (const Segment &S : Known)
      if (Address >= S.Begin && Address < S.End)
        return S;
    return std::nullopt;
  };
  if (const auto Found = Find())
    return Found;
  Known.clear();
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *) {
        for (int I = 0; I < Info->dlpi_phnum; ++I)
          if (const auto &P = Info->dlpi_phdr[I]; P.p_type == PT_LOAD) {
            const uintptr_t Begin = Info->dlpi_addr + P.p_vaddr;
            Known.push_back({Begin, Begin + P.p_memsz, Info->dlpi_addr, (P.p_flags & PF_W) != 0});
          }
        return 0;
      },
      nullptr);
  return Find();
}

// What the compiler itself keeps in the library: tables of virtual functions, constants.
static bool isOwnConstant(uintptr_t Address, bool Write, const void *Return) {
  const std::optional<Segment> S = segmentOf(Address);
  const std::optional<Segment> Code = S ? segmentOf(reinterpret_cast<uintptr_t>(Return)) : S;
  return Code && S->File == Code->File && (!Write || S->Writable);
}

static std::string describe(bool Write, size_t Size) {
  return std::string(Write ? "writes " : "reads ") + std::to_string(Size) + " bytes";
}

[[gnu::noinline]] static void otherAccess(uintptr_t Address, size_t Size, bool Write,
                                          const void *Return) {
  if (const std::optional<HostName> Name = findHostName(Address)) {
    reportHostName(*Name, describe(Write, Size), Return);
    abandonKernel();
  }
  if (Arena::contains(Address) || Address < 4096) {
    reportError("global-out-of-bounds",
                describe(Write, Size) + " " + describeAddress(Address, Size), Return);
    abandonKernel();
  }
  const LaunchBody &Body = Here.Current->Owner->Of->Body;
  if (Address - reinterpret_cast<uintptr_t>(Body.Arguments.get()) < Body.Size)
    return;
  const GlobalAccess Global = findGlobal(Address, Size);
  if (Global == GlobalAccess::Inside || (Global == GlobalAccess::Constant && !Write))
    return;
  if (Global == GlobalAccess::Constant) {
    reportError("constant-write",
                describe(Write, Size) + " of '" + nameOfGlobal(Address) +
                    "', which is __constant__: no kernel may change it",
                Return);
    abandonKernel();
  }
  if (Global == GlobalAccess::Elsewhere &&
      (isRegisteredHost(Address) || isOwnConstant(Address, Write, Return)))
    return;
  // So far behind the variables other libraries lie at best, and no memory of the host's heap.
  constexpr size_t Reach = size_t(64) << 20;
  const std::string Variable = describeGlobal(Address, Size, Reach);
  if (Global == GlobalAccess::Outside)
    reportError("global-out-of-bounds", describe(Write, Size) + " " + Variable, Return);
  else if (!Variable.empty())
    reportError("global-out-of-bounds",
                describe(Write, Size) + " outside of all allocations and variables, " + Variable,
                Return);
  else
    reportError("host-memory",
                describe(Write, Size) + " of the host's memory, or outside of all allocations",
                Return);
  abandonKernel();
}

[[gnu::noinline]] static void misaligned(uintptr_t Address, size_t Size, const void *Return) {
  reportError("misaligned-address",
              "an address that must be a multiple of " + std::to_string(Size) + " is one of " +
                  std::to_string(Address & -Address) + " only",
              Return);
  abandonKernel();
}

[[gnu::noinline]] static void hostAccess(uintptr_t Address, size_t Size, bool Write,
                                         const void *Return) {
  if (const std::optional<HostName> Name = findHostName(Address)) {
    if (Write || !Name->Readable)
      reportHostName(*Name, "code of the host " + describe(Write, Size), Return);
    return;
  }
  reportError("device-memory-on-host",
              "code of the host " + describe(Write, Size) + " of device memory", Return);
}

template <AccessKind Kind>
[[gnu::always_inline]] static inline void check(uintptr_t Address, size_t Size,
                                                const void *Return) {
  View &V = Here;
  constexpr bool Write = Kind == AccessKind::Write || Kind == AccessKind::Atomic;
  if (!V.Current) {
    if (Arena::contains(Address) && !Arena::hostVisible(Address)) [[unlikely]]
      hostAccess(Address, Size, Write, Return);
    return;
  }
  if (--V.Budget < 0) [[unlikely]]
    budgetOver(Address, Return);
  if (Kind == AccessKind::Write)
    V.Progress = true;
  if (Arena::contains(Address)) {
    if (Arena::addressable(Address, Size)) [[likely]]
      return;
  } else if (Address - V.SharedLow < SharedWindow::WindowSize) {
    SharedWindow &Shared = V.Current->Owner->Shared;
    const size_t Offset = Address - V.SharedLow;
    const unsigned Thread = V.Current->Linear;
    if (Address != V.Observed) [[likely]]
      Shared.access<Kind>(Offset, Size, Thread, Return);
    else if (Kind == AccessKind::Read)
      Shared.access<AccessKind::Observe>(Offset, Size, Thread, Return);
    else if (Shared.writesFlags(Thread))
      Shared.access<AccessKind::Atomic>(Offset, Size, Thread, Return);
    else
      Shared.access<Kind>(Offset, Size, Thread, Return);
    return;
  } else if (Address - V.StackLow < StackSize) {
    return;
  }
  if (Size)
    otherAccess(Address, Size, Write, Return);
}

template <size_t Size>
[[gnu::always_inline]] static inline void checkNatural(uintptr_t Address, const void *Return) {
  constexpr size_t Alignment = Size <= 8 ? Size : 8;
  if ((Address & (Alignment - 1)) && Here.Current) [[unlikely]]
    misaligned(Address, Alignment, Return);
}

void checkRead(const void *Address, size_t Size, const void *Return) {
  check<AccessKind::Read>(reinterpret_cast<uintptr_t>(Address), Size, Return);
}
void checkWrite(const void *Address, size_t Size, const void *Return) {
  check<AccessKind::Write>(reinterpret_cast<uintptr_t>(Address), Size, Return);
}
void observe(const volatile void *Object) { Here.Observed = reinterpret_cast<uintptr_t>(Object); }
void fence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (Here.Current)
    Here.Current->Owner->Shared.fence(Here.Current->Linear);
}
void checkRead(const void *Address, size_t Size) {
  check<AccessKind::Read>(reinterpret_cast<uintptr_t>(Address), Size, RETURN_ADDRESS);
}
void checkWrite(const void *Address, size_t Size) {
  check<AccessKind::Write>(reinterpret_cast<uintptr_t>(Address), Size, RETURN_ADDRESS);
}
void checkAligned(const void *Address, size_t Alignment) {
  const auto At = reinterpret_cast<uintptr_t>(Address);
  if (Here.Current && (At & (Alignment - 1))) [[unlikely]]
    misaligned(At, Alignment, RETURN_ADDRESS);
}

template <class T>
[[gnu::always_inline]] static inline T beginAtomic(T *Address, const void *Return) {
  const auto At = reinterpret_cast<uintptr_t>(Address);
  if (Here.Current && (At & (sizeof(T) - 1))) [[unlikely]]
    misaligned(At, sizeof(T), Return);
  check<AccessKind::Atomic>(At, sizeof(T), Return);
  T Value;
  __atomic_load(Address, &Value, __ATOMIC_SEQ_CST);
  return Value;
}

template <class T> static T swap(T *Address, T Expected, T New) {
  const T Wanted = Expected;
  if (__atomic_compare_exchange(Address, &Expected, &New, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST) &&
      New != Wanted)
    Here.Progress = true;
  return Expected;
}

#define CUPEL_ATOMICS(T)                                                                           \
  T atomicLoad(T *Address) { return beginAtomic(Address, RETURN_ADDRESS); }                        \
  T atomicSwap(T *Address, T Expected, T New) { return swap(Address, Expected, New); }
CUPEL_ATOMICS(unsigned short)
CUPEL_ATOMICS(unsigned)
CUPEL_ATOMICS(unsigned long long)
#undef CUPEL_ATOMICS

// GCC calls libatomic for 16 bytes; a lock serves as well, since all such accesses come here.
static std::mutex WideLock;
unsigned __int128 atomicLoad(unsigned __int128 *Address) {
  check<AccessKind::Atomic>(reinterpret_cast<uintptr_t>(Address), 16, RETURN_ADDRESS);
  const std::lock_guard<std::mutex> Guard(WideLock);
  return *Address;
}
unsigned __int128 atomicSwap(unsigned __int128 *Address, unsigned __int128 Expected,
                             unsigned __int128 New) {
  const std::lock_guard<std::mutex> Guard(WideLock);
  const unsigned __int128 Seen = *Address;
  if (Seen == Expected && New != Seen) {
    *Address = New;
    Here.Progress = true;
  }
  return Seen;
}

} // namespace cupel::emu

using namespace cupel::emu;

extern "C" {

// AddressSanitizer calls those of up to 8 bytes for accesses of a natural alignment, others with
// their size. Volatile ones, which UndefinedBehaviorSanitizer leaves out, are told here.
#define CUPEL_ACCESS(SIZE)                                                                         \
  void __cupel_load##SIZE(uintptr_t A) {                                                           \
    checkNatural<SIZE>(A, RETURN_ADDRESS);                                                         \
    check<AccessKind::Read>(A, SIZE, RETURN_ADDRESS);                                              \
  }                                                                                                \
  void __cupel_store##SIZE(uintptr_t A) {                                                          \
    checkNatural<SIZE>(A, RETURN_ADDRESS);                                                         \
    check<AccessKind::Write>(A, SIZE, RETURN_ADDRESS);                                             \
  }
CUPEL_ACCESS(1)
CUPEL_ACCESS(2)
CUPEL_ACCESS(4)
CUPEL_ACCESS(8)
CUPEL_ACCESS(16)
#undef CUPEL_ACCESS

void __cupel_loadN(uintptr_t A, size_t N) { check<AccessKind::Read>(A, N, RETURN_ADDRESS); }
void __cupel_storeN(uintptr_t A, size_t N) { check<AccessKind::Write>(A, N, RETURN_ADDRESS); }

void *__cupel_memcpy(void *To, const void *From, size_t N) {
  check<AccessKind::Read>(reinterpret_cast<uintptr_t>(From), N, RETURN_ADDRESS);
  check<AccessKind::Write>(reinterpret_cast<uintptr_t>(To), N, RETURN_ADDRESS);
  return std::memcpy(To, From, N);
}
void *__cupel_memmove(void *To, const void *From, size_t N) {
  check<AccessKind::Read>(reinterpret_cast<uintptr_t>(From), N, RETURN_ADDRESS);
  check<AccessKind::Write>(reinterpret_cast<uintptr_t>(To), N, RETURN_ADDRESS);
  return std::memmove(To, From, N);
}
void *__cupel_memset(void *To, int Value, size_t N) {
  check<AccessKind::Write>(reinterpret_cast<uintptr_t>(To), N, RETURN_ADDRESS);
  return std::memset(To, Value, N);
}

// UndefinedBehaviorSanitizer's check of alignment (-fsanitize=alignment). On a GPU a misaligned
// address ends the kernel. `Data` begins with file, line and column, type, logarithm of the
// alignment.
void __ubsan_handle_type_mismatch_v1(void *Data, uintptr_t Address) {
  struct Mismatch {
    const char *File;
    uint32_t Line, Column;
    const void *Type;
    unsigned char LogAlignment, Kind;
  };
  if (!Here.Current)
    return;
  misaligned(Address, size_t(1) << static_cast<Mismatch *>(Data)->LogAlignment, RETURN_ADDRESS);
}

// The instrumentation's constructor and its calls before functions that do not return. Weak: a
// process that has AddressSanitizer's run-time keeps that one's.
__attribute__((weak)) void __asan_init(void) {}
__attribute__((weak)) void __asan_handle_no_return(void) {}
}
