//===- ProcessKeeper.h - the process between us and a child -----------------===//
#ifndef CUPEL_LIB_SUPPORT_PROCESSKEEPER_H
#define CUPEL_LIB_SUPPORT_PROCESSKEEPER_H

#include "IsolationPlan.h"
#include <cstdint>
#include <sys/resource.h>

namespace cupel {

/// What the keeper and the child need, made ready before the fork, since nothing may be allocated
/// after it.
struct LaunchPlan {
  const char *Program;
  char *const *Arguments;
  char *const *Environment;
  const char *WorkingDirectory; ///< Null: unchanged.

  struct Move {
    int Ours, Childs;
  };
  static constexpr unsigned MaxMoves = 32;
  Move Moves[MaxMoves]; ///< Of descriptors, 0, 1 and 2 too.
  unsigned MoveCount = 0;

  struct Limit {
    int Resource;
    rlimit Value;
  };
  static constexpr unsigned MaxLimits = 8;
  Limit Limits[MaxLimits];
  unsigned LimitCount = 0;

  const IsolationPlan *Isolation; ///< Null: none.

  pid_t Parent;           ///< We, who made the plan.
  char *const *Leftovers; ///< What to remove should we be gone; ends with null.

  int Control;    ///< Read end; the keeper kills everything when it is closed.
  int Group = -1; ///< cgroup.procs of the child's group; -1: none.
  int Status;     ///< Write end; the keeper sends KeeperMessages.
};

/// Each is written at once, so it arrives whole (it is shorter than PIPE_BUF).
struct KeeperMessage {
  enum KindType : int32_t { StartFailed, Started, Ended } Kind = StartFailed;
  enum StageType : int32_t { Fork, ChangeDirectory, Descriptors, Limits, Execute };
  int32_t Stage = 0, Errno = 0; ///< StartFailed.
  int32_t Pid = 0;              ///< Started; 0 when it cannot be told.
  LayerResults Layers = {};     ///< Started.
  // Ended: everything is gone.
  int32_t ByItself = 0;   ///< The child had ended before the keeper was told to kill it.
  int32_t WaitStatus = 0; ///< Of the child, as wait(2) has it.
  int32_t LeftBehind = 0, Unkillable = 0;
  int64_t CpuMicroseconds = 0, MaxRssBytes = 0;
};

/// Runs in the forked keeper.
[[noreturn]] void keepChild(const LaunchPlan &Plan);

} // namespace cupel

#endif // CUPEL_LIB_SUPPORT_PROCESSKEEPER_H
