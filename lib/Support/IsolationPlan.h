//===- IsolationPlan.h - isolation, made ready before the fork --------------===//
//
// What runs after the fork may not allocate (ProcessKeeper.cpp says why), so all paths, maps and
// the filter of system calls are made before it.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_SUPPORT_ISOLATIONPLAN_H
#define CUPEL_LIB_SUPPORT_ISOLATIONPLAN_H

#include "cupel/Support/Isolation.h"
#include <linux/filter.h>
#include <sys/types.h>

namespace cupel {

/// What became of the layers; filled on the way from the keeper over the init to the child.
struct LayerResults {
  IsolationLayers Held = 0;
  int32_t Errno[IsolationLayerCount] = {};

  void hold(IsolationLayer Layer) { Held |= layerBit(Layer); }
  void refuse(IsolationLayer Layer, int Error) {
    Held &= ~layerBit(Layer);
    Errno[unsigned(Layer)] = Error;
  }
  bool holds(IsolationLayer Layer) const { return Held & layerBit(Layer); }
};

struct IsolationPlan {
  /// Something of ours that the child's root shows, at the same place.
  struct Part {
    const char *Path;
    bool Folder, Writable;
    bool Needed; ///< The child is of no use where it cannot read it.
  };
  struct Link {
    const char *Path, *Text;
  };

  IsolationLayers Wanted = 0;
  const Part *Parts = nullptr;
  unsigned PartCount = 0;
  const Link *Links = nullptr;
  unsigned LinkCount = 0;
  const char *Scratch = nullptr;        ///< Null: none.
  const char *ScratchOptions = nullptr; ///< Of its tmpfs.
  const sock_filter *Filter = nullptr;
  unsigned short FilterLength = 0;
  int FilterErrno = 0; ///< Why there is none.
  int GroupErrno = 0;  ///< Why there is no control group.
  /// Processes and threads that the child may have in a user namespace of its own; 0: any number.
  unsigned MaxTasks = 0;
  /// The child writes to its own entries under /proc. CUDA names its threads through
  /// /proc/self/task/N/comm, and cuInit fails where it cannot (driver 580, traced on an H200).
  bool OwnEntries = false;
  bool Root = false;    ///< We are root.
  uid_t User = 0;       ///< Ours.
  gid_t Group = 0;      ///< Ours.
  uid_t ChildsUser = 0; ///< Outside of its user namespace; only when we are root.
  const char *UserMap = nullptr, *GroupMap = nullptr;

  bool wants(IsolationLayer Layer) const { return Wanted & layerBit(Layer); }
};

/// The number of the child's user inside its namespace, when we are root: `nobody`.
constexpr uid_t UserInside = 65534;

/// Owns what a plan points to.
class PreparedIsolation {
public:
  PreparedIsolation(const IsolationOptions &Options, llvm::StringRef Program);
  PreparedIsolation(const PreparedIsolation &) = delete;

  IsolationPlan Plan; ///< Points into this object.

private:
  void addSystem(const IsolationOptions &Options);
  void add(llvm::StringRef Path, bool Writable, bool Needed);
  void addWithTarget(llvm::StringRef Path, bool Writable, bool Needed);
  void addLink(const std::string &Path, const std::string &Text);

  std::vector<std::string> PartPaths;
  std::vector<IsolationPlan::Part> Parts;
  std::vector<std::pair<std::string, std::string>> LinkTexts;
  std::vector<IsolationPlan::Link> Links;
  std::vector<sock_filter> Filter;
  std::string Scratch, ScratchOptions, UserMap, GroupMap;
};

/// What became of the layers, in words.
IsolationReport reportOf(const IsolationPlan &Plan, const LayerResults &Results);

/// The filter's program; an errno when libseccomp cannot make one.
int makeSystemCallFilter(std::vector<sock_filter> &Program);

//===----------------------------------------------------------------------===//
// After the fork
//===----------------------------------------------------------------------===//

/// The keeper: starts the init in the namespaces that can be had, which returns 0 there as fork
/// does.
pid_t forkIntoNamespaces(const IsolationPlan &Plan, LayerResults &Results);

/// The init: makes the child's root. False and errno when it cannot, and ours is still there.
bool enterPrivateRoot(const IsolationPlan &Plan, LayerResults &Results);

/// The init: mounts the process namespace's /proc at \p Target, read-only but for processes' own
/// entries when \p Writable. False and errno: nothing is there.
bool mountOwnProc(const char *Target, bool Writable);

/// The init: makes what is the machine's, and not a process's, read-only in the /proc at \p Target.
/// False and errno when it cannot.
bool protectMachinesProc(const char *Target);

/// The init, where it keeps our root: mountOwnProc() over ours.
bool enterOwnProc(bool Writable);

/// The child: gives up what is left, for good. System calls that exec needs still work.
void confineChild(const IsolationPlan &Plan, LayerResults &Results);

} // namespace cupel

#endif // CUPEL_LIB_SUPPORT_ISOLATIONPLAN_H
