//===- ProcessWatch.cpp - what a child and its descendants use --------------===//

#include "ProcessWatch.h"
#include "cupel/Support/Process.h"
#include <chrono>
#include <cstdio>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace cupel;

static constexpr double SecondsBetweenScans = 0.25;
static constexpr size_t TableCapacity = 1 << 15;

namespace {
/// Reads one small file of /proc with scanf's format; false when it is not as expected.
template <typename... Results>
bool scanFile(const char *Path, const char *Format, Results *...Into) {
  std::FILE *File = std::fopen(Path, "re");
  if (!File)
    return false;
  int Read = std::fscanf(File, Format, Into...);
  std::fclose(File);
  return Read == int(sizeof...(Into));
}
} // namespace

/// Processes and threads of the whole machine, 0 where the kernel does not tell.
static uint64_t tasksOfMachine() {
  unsigned long long Tasks = 0;
  return scanFile("/proc/loadavg", "%*f %*f %*f %*u/%llu", &Tasks) ? Tasks : 0;
}

static uint64_t residentBytes(pid_t Pid) {
  char Path[32];
  std::snprintf(Path, sizeof(Path), "/proc/%d/statm", int(Pid));
  unsigned long long Pages = 0;
  return scanFile(Path, "%*u %llu", &Pages) ? Pages * uint64_t(::sysconf(_SC_PAGESIZE)) : 0;
}

ProcessWatch::ProcessWatch(const ProcessOptions &Options, pid_t Keeper, pid_t Child)
    : MemoryBytes(Options.MemoryBytes), MaxProcesses(Options.MaxProcesses), Keeper(Keeper),
      Child(Child), HasInit(Options.Isolation.has_value()) {}

bool ProcessWatch::looksSuspicious() const {
  if (MemoryBytes != 0 && residentBytes(Child) > MemoryBytes)
    return true;
  return MaxProcesses != 0 && tasksOfMachine() > TasksAtScan + MaxProcesses / 4 + 8;
}

std::optional<ExitKind> ProcessWatch::check(double Now) {
  if (!needed() || (Now < NextScan && !looksSuspicious()))
    return std::nullopt;
  NextScan = Now + SecondsBetweenScans;
  TasksAtScan = tasksOfMachine();
  Table.resize(TableCapacity);
  size_t Count = readProcessTable(Table.data(), Table.size());
  size_t Living = markDescendants(Table.data(), Count, Keeper);
  uint64_t Resident = 0;
  for (size_t I = 0; I != Count; ++I)
    if (HasInit && Table[I].Parent == Keeper)
      --Living; // A copy of ours, whose memory is not the child's.
    else if (Table[I].Descendant)
      Resident += Table[I].RssBytes;
  if (MaxProcesses != 0 && Living > MaxProcesses)
    return ExitKind::ProcessLimit;
  if (MemoryBytes != 0 && Resident > MemoryBytes)
    return ExitKind::MemoryLimit;
  return std::nullopt;
}

bool cupel::sweepOrphans(double Seconds, bool (*IsKeeper)(pid_t)) {
  using Clock = std::chrono::steady_clock;
  const auto End = Clock::now() + std::chrono::duration<double>(Seconds);
  std::vector<ProcessEntry> Table(TableCapacity);
  const pid_t Self = ::getpid(), OwnSession = ::getsid(0);
  while (true) {
    size_t Count = readProcessTable(Table.data(), Table.size());
    bool Found = false;
    for (size_t I = 0; I != Count; ++I) {
      pid_t Orphan = Table[I].Pid;
      if (Table[I].Parent != Self || Table[I].Session == OwnSession || IsKeeper(Orphan))
        continue;
      // A zombie of ours needs no kill, only that somebody waits for it.
      if (Table[I].State == 'Z') {
        ::waitpid(Orphan, nullptr, WNOHANG);
        continue;
      }
      Found = Table[I].Descendant = true;
    }
    if (!Found)
      return true;
    if (Clock::now() > End)
      return false;
    markDescendantsOfMarked(Table.data(), Count);
    killDescendants(Table.data(), Count);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}
