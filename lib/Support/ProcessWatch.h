//===- ProcessWatch.h - what a child and its descendants use ----------------===//
#ifndef CUPEL_LIB_SUPPORT_PROCESSWATCH_H
#define CUPEL_LIB_SUPPORT_PROCESSWATCH_H

#include "ProcessTable.h"
#include <optional>
#include <vector>

namespace cupel {

struct ProcessOptions;
enum class ExitKind;

/// Looks again and again at a child's memory and number of processes. To read all of /proc takes
/// 1 ms or more, so that is done four times a second, and at once when a cheap figure jumps: the
/// child's own memory, or the number of tasks that the whole machine runs.
class ProcessWatch {
public:
  /// \p Keeper is the process that everything to be counted descends from.
  ProcessWatch(const ProcessOptions &Options, pid_t Keeper, pid_t Child);

  bool needed() const { return MemoryBytes != 0 || MaxProcesses != 0; }
  /// The limit that is exceeded now.
  std::optional<ExitKind> check(double Now);

private:
  bool looksSuspicious() const;

  uint64_t MemoryBytes;
  unsigned MaxProcesses;
  pid_t Keeper, Child;
  bool HasInit; ///< Between the two.
  double NextScan = 0;
  uint64_t TasksAtScan = 0;
  std::vector<ProcessEntry> Table;
};

/// Kills what a keeper that was itself killed left to us: direct children of ours in sessions of
/// their own that \p IsKeeper does not know. False when something is left after \p Seconds.
bool sweepOrphans(double Seconds, bool (*IsKeeper)(pid_t));

} // namespace cupel

#endif // CUPEL_LIB_SUPPORT_PROCESSWATCH_H
