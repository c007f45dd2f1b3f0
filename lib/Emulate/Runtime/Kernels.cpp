// Which kernels ran, for the worker's record of a call.

#include "Kernels.h"
#include "Errors.h"
#include "Report.h"

#include <deque>
#include <mutex>
#include <string>

namespace cupel::emu {

namespace {

struct Entry {
  const void *Function = nullptr;
  std::string Name, Mangled;
  CupelEmulationKernel Public = {};
};

struct List {
  std::mutex Lock;
  std::deque<Entry> Entries;
};

List &list() {
  static auto *L = new List; // Read by the worker until the end.
  return *L;
}

bool isSame(const Entry &E, const Site &Where, const void *Function) {
  // Launches whose kernel only a call chooses have no address.
  return Function ? E.Function == Function
                  : !E.Function && E.Name == (Where.Kernel ? Where.Kernel : "") &&
                        E.Mangled == (Where.Mangled ? Where.Mangled : "");
}

} // namespace

void recordLaunch(const Site &Where, const void *Function, const LaunchShape &Shape) {
  List &L = list();
  const std::lock_guard<std::mutex> Guard(L.Lock);
  for (Entry &E : L.Entries)
    if (isSame(E, Where, Function)) {
      ++E.Public.Calls;
      return;
    }
  Entry &E = L.Entries.emplace_back();
  E.Function = Function;
  E.Name = Where.Kernel ? Where.Kernel : "";
  if (Function)
    E.Mangled = symbolAt(Function);
  else if (Where.Mangled)
    E.Mangled = Where.Mangled;
  const unsigned Grid[] = {Shape.Grid.X, Shape.Grid.Y, Shape.Grid.Z};
  const unsigned Block[] = {Shape.Block.X, Shape.Block.Y, Shape.Block.Z};
  for (int I = 0; I < 3; ++I) {
    E.Public.Grid[I] = Grid[I];
    E.Public.Block[I] = Block[I];
  }
  E.Public.DynamicSharedBytes = Shape.SharedBytes;
  E.Public.Calls = 1;
  E.Public.Name = E.Name.c_str();
  E.Public.MangledName = E.Mangled.c_str();
}

void forgetLaunches() {
  List &L = list();
  const std::lock_guard<std::mutex> Guard(L.Lock);
  L.Entries.clear();
}

} // namespace cupel::emu

using namespace cupel::emu;

extern "C" size_t cupelEmulateKernelCount(void) {
  const std::lock_guard<std::mutex> Guard(list().Lock);
  return list().Entries.size();
}

extern "C" const CupelEmulationKernel *cupelEmulateKernelAt(size_t Index) {
  const std::lock_guard<std::mutex> Guard(list().Lock);
  return Index < list().Entries.size() ? &list().Entries[Index].Public : nullptr;
}
