#include "Globals.h"
#include "cupel/emulate/Runtime.h"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <mutex>
#include <vector>

namespace cupel::emu {

namespace {

/// As the instrumentation writes it (compiler-rt, asan_interface_internal.h, __asan_global).
struct Described {
  uintptr_t Begin;
  size_t Size, Room; ///< Room: with what lies behind it.
  const char *Name, *Module;
  uintptr_t Unused[3];
};

struct Global {
  uintptr_t Begin;
  size_t Size, Room;
  std::string Name;      ///< As the source has it, with namespaces.
  bool Constant = false; ///< `__constant__`.
};
using Globals = std::vector<Global>; ///< By address.

// Kernels look at it at each access to a variable, so a list is never changed once it is here. Few
// libraries are ever loaded, so the old ones stay.
std::atomic<const Globals *> Current{nullptr};
std::mutex Changing;

template <class Change> void change(Change &&Apply) {
  const std::lock_guard<std::mutex> Guard(Changing);
  const Globals *Old = Current.load();
  auto *New = Old ? new Globals(*Old) : new Globals;
  Apply(*New);
  std::sort(New->begin(), New->end(),
            [](const Global &A, const Global &B) { return A.Begin < B.Begin; });
  Current = New;
}

/// The last that begins at or before `Address`.
const Global *globalBefore(uintptr_t Address) {
  const Globals *All = Current.load(std::memory_order_acquire);
  if (!All)
    return nullptr;
  const auto Behind = std::upper_bound(All->begin(), All->end(), Address,
                                       [](uintptr_t At, const Global &G) { return At < G.Begin; });
  return Behind == All->begin() ? nullptr : &*std::prev(Behind);
}

} // namespace

GlobalAccess findGlobal(uintptr_t Address, size_t Size) {
  const Global *G = globalBefore(Address);
  if (!G || Address - G->Begin >= G->Room)
    return GlobalAccess::Elsewhere;
  if (Address - G->Begin + Size > G->Size)
    return GlobalAccess::Outside;
  return G->Constant ? GlobalAccess::Constant : GlobalAccess::Inside;
}

std::string nameOfGlobal(uintptr_t Address) {
  const Global *G = globalBefore(Address);
  return G && Address - G->Begin < G->Size ? G->Name : "a variable of the device";
}

size_t sizeOfGlobal(uintptr_t Address) {
  const Global *G = globalBefore(Address);
  return G && Address == G->Begin ? G->Size : 0;
}

bool markConstants(std::initializer_list<const char *> Names) {
  const auto FileOf = [](const void *Address) {
    Dl_info Info;
    return dladdr(Address, &Info) ? Info.dli_fbase : nullptr;
  };
  const void *Own = FileOf(__builtin_return_address(0));
  change([&](Globals &All) {
    for (Global &G : All)
      for (const char *Name : Names)
        if (G.Name == Name && FileOf(reinterpret_cast<const void *>(G.Begin)) == Own)
          G.Constant = true;
  });
  return true;
}

std::string describeGlobal(uintptr_t Address, size_t Size, size_t Reach) {
  const Global *G = globalBefore(Address);
  const Globals *All = Current.load(std::memory_order_acquire);
  // Far behind, it is a variable's name that helps, not that of a string in the text.
  while (G && Address - G->Begin >= G->Room && G->Name.starts_with("."))
    G = G == All->data() ? nullptr : G - 1;
  if (!G || Address - G->Begin > G->Size + Reach)
    return {};
  const std::string Variable =
      "variable '" + G->Name + "' of " + std::to_string(G->Size) + " bytes";
  const size_t At = Address - G->Begin;
  return At < G->Size ? "across the end of " + Variable
                      : std::to_string(At - G->Size) + " bytes past the end of " + Variable;
}

} // namespace cupel::emu

using namespace cupel::emu;

// What the instrumentation calls when a library is loaded and before it goes.
extern "C" {
__attribute__((weak)) void __asan_register_globals(const Described *First, size_t Count) {
  change([&](Globals &All) {
    for (size_t I = 0; I < Count; ++I)
      All.push_back({First[I].Begin, First[I].Size, First[I].Room, First[I].Name});
  });
}
__attribute__((weak)) void __asan_unregister_globals(const Described *First, size_t Count) {
  change([&](Globals &All) {
    for (size_t I = 0; I < Count; ++I)
      std::erase_if(All, [&](const Global &G) { return G.Begin == First[I].Begin; });
  });
}
// The flag, one of each library, says whether it is registered.
__attribute__((weak)) void __asan_register_elf_globals(uintptr_t *Flag, const Described *First,
                                                       const Described *End) {
  if (*Flag || First == End)
    return;
  __asan_register_globals(First, End - First);
  *Flag = 1;
}
__attribute__((weak)) void __asan_unregister_elf_globals(uintptr_t *Flag, const Described *First,
                                                         const Described *End) {
  if (!*Flag)
    return;
  __asan_unregister_globals(First, End - First);
  *Flag = 0;
}
}
