//===- ConfineChild.cpp - what a child gives up before it runs --------------===//
//
// Runs in the forked child: only what ProcessKeeper.cpp allows. Each step goes one way: what is
// given up here cannot be got back by what the child executes.
//
//===----------------------------------------------------------------------===//

#include "IsolationPlan.h"
#include <cerrno>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace cupel;

namespace {

//===----------------------------------------------------------------------===//
// Landlock. The constants that the headers of 2023 lack are from linux/landlock.h of 6.12.
//===----------------------------------------------------------------------===//

constexpr uint64_t AccessRead =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t AccessVersion1 = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
constexpr uint64_t AccessRefer = uint64_t(1) << 13, AccessTruncate = uint64_t(1) << 14;
/// Also writing to what is there, but making nothing.
constexpr uint64_t AccessWrite = AccessRead | LANDLOCK_ACCESS_FS_WRITE_FILE | AccessTruncate;
constexpr uint64_t AccessAll = ~uint64_t(0);
/// What can be said of a file that is no folder.
constexpr uint64_t AccessFile = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                LANDLOCK_ACCESS_FS_WRITE_FILE | AccessTruncate;
constexpr uint64_t ScopeAbstractSocket = 1, ScopeSignal = 2;

struct Ruleset {
  uint64_t HandledFiles, HandledNetwork, Scoped;
};

bool allow(int Rules, uint64_t Access, const char *Path, bool Folder) {
  landlock_path_beneath_attr Rule = {};
  Rule.parent_fd = ::open(Path, O_PATH | O_CLOEXEC);
  if (Rule.parent_fd < 0)
    return errno == ENOENT || errno == EACCES; // Then the child cannot reach it either.
  Rule.allowed_access = Access & (Folder ? AccessAll : AccessFile);
  bool Done = ::syscall(SYS_landlock_add_rule, Rules, LANDLOCK_RULE_PATH_BENEATH, &Rule, 0) == 0;
  int Error = errno;
  ::close(Rule.parent_fd);
  errno = Error;
  return Done;
}

/// \p Held: what holds already.
bool restrictFiles(const IsolationPlan &Plan, const LayerResults &Held) {
  long Version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (Version < 1)
    return false;
  Ruleset Attributes = {AccessVersion1, 0, 0};
  if (Version >= 2)
    Attributes.HandledFiles |= AccessRefer;
  if (Version >= 3)
    Attributes.HandledFiles |= AccessTruncate;
  if (Version >= 6)
    Attributes.Scoped = ScopeAbstractSocket | ScopeSignal;
  // An older kernel knows less of the struct, and refuses a longer one.
  size_t Size = Version >= 6 ? sizeof(Ruleset) : sizeof(uint64_t);
  auto Rules = int(::syscall(SYS_landlock_create_ruleset, &Attributes, Size, 0));
  if (Rules < 0)
    return false;
  auto Allow = [&](const char *Path, bool Folder, uint64_t Access) {
    return allow(Rules, Access & Attributes.HandledFiles, Path, Folder);
  };
  // The machine's entries are read-only in a /proc of our own, and not writable for another user.
  bool OwnEntries = Plan.OwnEntries &&
                    (Held.holds(IsolationLayer::Processes) || Held.holds(IsolationLayer::User));
  bool OwnMemory = Held.holds(IsolationLayer::Files); // Else others have theirs there.
  bool Done = Allow("/proc", true, OwnEntries ? AccessWrite : AccessRead) &&
              Allow("/dev/shm", true, OwnMemory ? AccessAll : AccessRead);
  for (unsigned I = 0; Done && I != Plan.PartCount; ++I)
    Done = Allow(Plan.Parts[I].Path, Plan.Parts[I].Folder,
                 Plan.Parts[I].Writable ? AccessAll : AccessRead);
  if (Done && Plan.Scratch)
    Done = Allow(Plan.Scratch, true, AccessAll);
  Done = Done && ::syscall(SYS_landlock_restrict_self, Rules, 0) == 0;
  int Error = errno;
  ::close(Rules);
  errno = Error;
  return Done;
}

//===----------------------------------------------------------------------===//
// Users and capabilities
//===----------------------------------------------------------------------===//

/// Becomes another user, if that one can read what it needs: a library that only root may read
/// keeps the child from it, since a submission that cannot be judged helps nobody.
bool becomeOther(const IsolationPlan &Plan, bool Mapped) {
  const uid_t User = Mapped ? UserInside : Plan.ChildsUser;
  // access(2) asks for the real user while the effective one keeps its rights.
  if (::syscall(SYS_setgroups, 0, nullptr) != 0 || ::syscall(SYS_setresgid, User, -1, -1) != 0 ||
      ::syscall(SYS_setresuid, User, -1, -1) != 0)
    return false;
  bool Reads = true;
  for (unsigned I = 0; Reads && I != Plan.PartCount; ++I) {
    const IsolationPlan::Part &Part = Plan.Parts[I];
    int How = R_OK | (Part.Folder ? X_OK : 0) | (Part.Writable ? W_OK : 0);
    Reads = !Part.Needed || ::access(Part.Path, How) == 0;
  }
  bool Changed = Reads && (!Plan.Scratch || ::chown(Plan.Scratch, User, User) == 0) &&
                 ::syscall(SYS_setresgid, User, User, User) == 0 &&
                 ::syscall(SYS_setresuid, User, User, User) == 0;
  if (Changed)
    return true;
  int Error = errno;
  ::syscall(SYS_setresgid, 0, 0, 0);
  ::syscall(SYS_setresuid, 0, 0, 0);
  errno = Error;
  return false;
}

/// Only while we have the right to: from a bounding set nothing comes back, not even by running a
/// program of root's.
bool emptyBoundingSet() {
  for (int Capability = 0; Capability < 64; ++Capability)
    if (::prctl(PR_CAPBSET_READ, Capability) == 1 && ::prctl(PR_CAPBSET_DROP, Capability) != 0)
      return false;
  return true;
}

/// RLIMIT_NPROC, which a user namespace has a count of its own for (since Linux 5.14; elsewhere the
/// user's other processes count too). The watch is too slow for a fork bomb that nothing bounds:
/// with ten thousand processes to run, its own turn comes after seconds.
void limitTasks(unsigned Most) {
  rlimit Limit = {Most, Most};
  ::setrlimit(RLIMIT_NPROC, &Limit);
}

bool dropCapabilities() {
  __user_cap_header_struct Header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct Data[2] = {};
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  return ::syscall(SYS_capset, &Header, Data) == 0;
}

} // namespace

void cupel::confineChild(const IsolationPlan &Plan, LayerResults &Results) {
  auto Settle = [&](IsolationLayer Layer, bool Done) {
    Done ? Results.hold(Layer) : Results.refuse(Layer, errno);
  };
  if (Plan.MaxTasks != 0 && Results.holds(IsolationLayer::Namespace))
    limitTasks(Plan.MaxTasks);
  bool Bounded = true;
  if (Plan.wants(IsolationLayer::Privileges) &&
      (Plan.Root || Results.holds(IsolationLayer::Namespace)))
    Bounded = emptyBoundingSet();
  int BoundError = errno;
  if (Plan.wants(IsolationLayer::User)) {
    errno = EPERM;
    Settle(IsolationLayer::User,
           Plan.Root && becomeOther(Plan, Results.holds(IsolationLayer::Namespace)));
  }
  if (Plan.wants(IsolationLayer::Privileges)) {
    bool Done = dropCapabilities() && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (Done && !Bounded)
      errno = BoundError;
    Settle(IsolationLayer::Privileges, Done && Bounded);
  } else if (Plan.Wanted &
             (layerBit(IsolationLayer::Landlock) | layerBit(IsolationLayer::SystemCalls))) {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); // Both need it, except for root.
  }
  if (Plan.wants(IsolationLayer::Landlock))
    Settle(IsolationLayer::Landlock, restrictFiles(Plan, Results));
  if (Plan.wants(IsolationLayer::SystemCalls)) {
    sock_fprog Program = {Plan.FilterLength, const_cast<sock_filter *>(Plan.Filter)};
    errno = Plan.FilterErrno;
    Settle(IsolationLayer::SystemCalls,
           Plan.FilterErrno == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Program) == 0);
  }
}
