//===- ControlGroup.h - a control group for one child -----------------------===//
#ifndef CUPEL_LIB_SUPPORT_CONTROLGROUP_H
#define CUPEL_LIB_SUPPORT_CONTROLGROUP_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cupel {

/// A group of cgroup version 2 that limits memory and tasks of whoever enters it. The watch
/// (ProcessWatch.h) looks every so often; the kernel never lets a group over its limit.
class ControlGroup {
public:
  /// Makes one beside or below our own group where we may; 0 means no limit. \p Root: of the file
  /// system. What is not to be had is no error: see errorNumber.
  ControlGroup(uint64_t MemoryBytes, unsigned MaxTasks, llvm::StringRef Root = "/sys/fs/cgroup",
               llvm::StringRef OwnFile = "/proc/self/cgroup");
  /// Kills whoever is left in it, and removes it.
  ~ControlGroup();
  ControlGroup(const ControlGroup &) = delete;

  /// `cgroup.procs`, open for writing; -1 when there is no group.
  int processes() const { return Processes; }
  /// Why there is none.
  int errorNumber() const { return Errno; }
  /// Whether the kernel ended something in it for want of memory.
  bool ranOutOfMemory() const;

private:
  bool make(const std::string &Parent, uint64_t MemoryBytes, unsigned MaxTasks);

  std::string Path;
  int Processes = -1, Errno = 0;
};

} // namespace cupel

#endif // CUPEL_LIB_SUPPORT_CONTROLGROUP_H
