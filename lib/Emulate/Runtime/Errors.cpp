#include "Errors.h"
#include "Kernels.h"
#include "Report.h"
#include "State.h"

#include <cstdio>
#include <cstdlib>
#include <deque>

#include <map>
#include <mutex>
#include <stdexcept>
#include <tuple>

namespace cupel::emu {

void resetStickyError();

namespace {

struct Entry {
  std::string Kind, Kernel, File, Text;
  CupelEmulationError Public = {};
};

// More places than this are not told: nobody reads them, and each costs a search for its line.
constexpr size_t MaxEntries = 64;

struct List {
  std::mutex Lock;
  std::deque<Entry> Entries;
  std::map<std::tuple<std::string, const void *, Severity>, Entry *> Seen;
};

List &list() {
  static auto *L = new List; // Read by the worker until the end.
  return *L;
}

void add(Entry E, Severity S, const void *Where) {
  List &L = list();
  Entry &Kept = L.Entries.emplace_back(std::move(E));
  Kept.Public.Kind = Kept.Kind.c_str();
  Kept.Public.Kernel = Kept.Kernel.c_str();
  Kept.Public.File = Kept.File.c_str();
  Kept.Public.Text = Kept.Text.c_str();
  Kept.Public.Count = 1;
  Kept.Public.Rejects = S == Severity::Error;
  if (Where)
    L.Seen[{Kept.Kind, Where, S}] = &Kept;
}

} // namespace

void reportErrorOf(unsigned Linear, const char *Kind, const std::string &Text, const void *Where,
                   Severity S) {
  List &L = list();
  const std::lock_guard<std::mutex> Guard(L.Lock);
  if (const auto Old = L.Seen.find({Kind, Where, S}); Old != L.Seen.end()) {
    ++Old->second->Public.Count;
    return;
  }
  if (L.Entries.size() >= MaxEntries)
    return;
  Entry E;
  E.Kind = Kind;
  E.Text = Text;
  const SourcePlace Place = findPlace(Where);
  E.File = Place.File;
  E.Public.Line = Place.Line;
  if (const Thread *T = Here.Current) {
    const Launch &Of = *T->Owner->Of;
    if (Of.Where.Kernel)
      E.Kernel = Of.Where.Kernel;
    E.Public.InThread = 1;
    const Extent &B = T->Owner->Index, &Size = Of.Shape.Block;
    const unsigned At[] = {Linear % Size.X, Linear / Size.X % Size.Y, Linear / Size.X / Size.Y};
    const unsigned In[] = {B.X, B.Y, B.Z};
    for (int I = 0; I < 3; ++I) {
      E.Public.Block[I] = In[I];
      E.Public.Thread[I] = At[I];
    }
  }
  add(std::move(E), S, Where);
}

void reportError(const char *Kind, const std::string &Text, const void *Return, Severity S) {
  reportErrorOf(Here.Current ? Here.Current->Linear : 0, Kind, Text, Return, S);
}

void reportLaunchError(const char *Kind, const char *Kernel, unsigned Line, const std::string &Text,
                       Severity S) {
  List &L = list();
  const std::lock_guard<std::mutex> Guard(L.Lock);
  if (L.Entries.size() >= MaxEntries)
    return;
  Entry E;
  E.Kind = Kind;
  E.Kernel = Kernel ? Kernel : "";
  E.Text = Text;
  E.Public.Line = Line;
  add(std::move(E), S, nullptr);
}

void refusedLaunchesWereSeen() {
  List &L = list();
  const std::lock_guard<std::mutex> Guard(L.Lock);
  for (Entry &E : L.Entries)
    if (E.Kind == "launch-refused")
      E.Public.Rejects = 0;
}

void failKernel(const char *Kind, const char *Text) {
  if (!Here.Current) {
    reportError(Kind, Text, __builtin_return_address(0));
    throw std::runtime_error(Text);
  }
  reportError(Kind, Text, __builtin_return_address(0));
  abandonKernel();
}

// What the shadow assert.h calls.
[[noreturn]] void assertFailed(const char *Text) {
  if (!Here.Current) {
    std::fprintf(stderr, "%s\n", Text);
    std::abort();
  }
  reportError("device-assert", Text, __builtin_return_address(0));
  abandonKernel();
}

} // namespace cupel::emu

using namespace cupel::emu;

extern "C" size_t cupelEmulateErrorCount(void) {
  const std::lock_guard<std::mutex> Guard(list().Lock);
  return list().Entries.size();
}

extern "C" const CupelEmulationError *cupelEmulateErrorAt(size_t Index) {
  const std::lock_guard<std::mutex> Guard(list().Lock);
  return Index < list().Entries.size() ? &list().Entries[Index].Public : nullptr;
}

extern "C" void cupelEmulateReset(void) {
  {
    const std::lock_guard<std::mutex> Guard(list().Lock);
    list().Seen.clear();
    list().Entries.clear();
  }
  resetStickyError();
  forgetLaunches();
}

extern "C" unsigned long cupelEmulateAccesses(void) { return AccessCount; }
extern "C" unsigned long cupelEmulateThreads(void) { return ThreadCount; }
