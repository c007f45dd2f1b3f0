//===- ProcessTable.h - who descends from whom, from /proc ------------------===//
//
// Used by the keeper, a forked copy of a process with threads: so nothing here allocates or locks.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_SUPPORT_PROCESSTABLE_H
#define CUPEL_LIB_SUPPORT_PROCESSTABLE_H

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace cupel {

struct ProcessEntry {
  pid_t Pid, Parent, Group, Session;
  char State;      ///< As in proc(5); `Z` is a zombie.
  bool Descendant; ///< Set by markDescendants; false at first.
  uint32_t Threads;
  uint64_t RssBytes;
};

/// Fills \p Entries with the processes that /proc shows, in the order of their ids, at most
/// \p Capacity; returns how many, 0 when there is no /proc.
size_t readProcessTable(ProcessEntry *Entries, size_t Capacity);

/// Marks all that descend from \p Ancestor, not itself; returns how many of them are no zombies.
size_t markDescendants(ProcessEntry *Entries, size_t Count, pid_t Ancestor);

/// Marks all that descend from one that is marked; returns how many marked ones are no zombies.
size_t markDescendantsOfMarked(ProcessEntry *Entries, size_t Count);

/// Sends SIGKILL to all that are marked and to their process groups. A group is killed in one step,
/// which a fork cannot escape, as it can when processes are killed one by one.
void killDescendants(const ProcessEntry *Entries, size_t Count);

} // namespace cupel

#endif // CUPEL_LIB_SUPPORT_PROCESSTABLE_H
