//===- ProcMount.cpp - a /proc of the process namespace's own ---------------===//
//
// Runs in the forked init, in its own mount namespace: only what ProcessKeeper.cpp allows.
//
//===----------------------------------------------------------------------===//

#include "IsolationPlan.h"
#include "MountCalls.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace cupel;
using namespace cupel::mounts;

namespace {

/// What under /proc is the machine's and not a process's, and can be written to somewhere: for the
/// user 0 without any capability. The OCI runtime specification's default read-only paths, and the
/// drivers' own.
constexpr const char *MachineParts[] = {"acpi", "asound", "bus",  "driver", "dynamic_debug", "fs",
                                        "irq",  "mtrr",   "scsi", "sys",    "sysrq-trigger", "tty"};

bool makeReadOnly(const char *Path) {
  if (::mount(Path, Path, nullptr, BindRecursive, nullptr) != 0)
    return errno == ENOENT;
  mount_attr Attributes = {};
  Attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  return ::syscall(SYS_mount_setattr, AT_FDCWD, Path, AT_RECURSIVE, &Attributes,
                   sizeof(Attributes)) == 0;
}

} // namespace

bool cupel::protectMachinesProc(const char *Target) {
  char Path[64];
  const size_t Length = ::strnlen(Target, 32);
  std::memcpy(Path, Target, Length);
  Path[Length] = '/';
  for (const char *Part : MachineParts) {
    std::strcpy(Path + Length + 1, Part);
    if (!makeReadOnly(Path))
      return false;
  }
  return true;
}

bool cupel::mountOwnProc(const char *Target, bool Writable) {
  unsigned long Flags = NoSuidNoDevNoExec | (Writable ? 0 : ReadOnly);
  if (::mount("proc", Target, "proc", Flags, nullptr) != 0)
    return false;
  if (!Writable || protectMachinesProc(Target))
    return true;
  int Error = errno;
  ::umount2(Target, Detach);
  errno = Error;
  return false;
}

bool cupel::enterOwnProc(bool Writable) {
  // So that nothing of it reaches the machine's own namespace.
  return ::mount(nullptr, "/", nullptr, RecursivePrivate, nullptr) == 0 &&
         mountOwnProc("/proc", Writable);
}
