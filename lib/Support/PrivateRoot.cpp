//===- PrivateRoot.cpp - a root folder that shows what a child needs --------===//
//
// Runs in the forked init, in its own mount namespace: only what ProcessKeeper.cpp allows. The new
// root is a small file system in memory in which the parts of ours are mounted, read-only; ours is
// then taken away. Until the last step nothing has changed, so that a failure leaves the layer out
// and the child usable.
//
//===----------------------------------------------------------------------===//

#include "IsolationPlan.h"
#include "MountCalls.h"
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace cupel;
using namespace cupel::mounts;

namespace {

/// Any folder that every system has does: it is covered only in our namespace, after what lies in
/// it has been taken aside.
constexpr const char NewRoot[] = "/tmp";

constexpr unsigned MaxParts = 128;

/// \p Path in the new root.
struct InRoot {
  explicit InRoot(const char *Path) {
    size_t Length = ::strnlen(Path, PATH_MAX);
    std::memcpy(Text, NewRoot, sizeof(NewRoot));
    if (sizeof(NewRoot) + Length < sizeof(Text))
      std::memcpy(Text + sizeof(NewRoot) - 1, Path, Length + 1);
  }
  char Text[PATH_MAX + sizeof(NewRoot)];
};

/// Makes the folders above \p Path. Those that are there, or lie in a part that is, are no error.
void makeParents(InRoot &Path) {
  for (char *At = Path.Text + sizeof(NewRoot); *At; ++At)
    if (*At == '/') {
      *At = '\0';
      ::mkdir(Path.Text, 0755);
      *At = '/';
    }
}

bool setAttributes(int Mount, const char *Path, uint64_t Set, bool Recursive) {
  mount_attr Attributes = {};
  Attributes.attr_set = Set;
  unsigned Flags = (Path[0] ? 0 : AT_EMPTY_PATH) | (Recursive ? AT_RECURSIVE : 0);
  return ::syscall(SYS_mount_setattr, Mount, Path, Flags, &Attributes, sizeof(Attributes)) == 0;
}

/// A copy of what is mounted at and under \p Path, not mounted anywhere yet; -1 and errno.
int takeAside(const char *Path, bool Folder, bool Writable) {
  unsigned Flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | (Folder ? AT_RECURSIVE : 0);
  auto Mount = int(::syscall(SYS_open_tree, AT_FDCWD, Path, Flags));
  if (Mount < 0)
    return -1;
  uint64_t Set = MOUNT_ATTR_NOSUID | (Writable ? 0 : MOUNT_ATTR_RDONLY);
  if (setAttributes(Mount, "", Set, Folder))
    return Mount;
  int Error = errno;
  ::close(Mount);
  errno = Error;
  return -1;
}

bool place(int Mount, const char *Path, bool Folder) {
  InRoot Target(Path);
  makeParents(Target);
  if (Folder)
    ::mkdir(Target.Text, 0755);
  else if (int File = ::open(Target.Text, O_CREAT | O_WRONLY | O_CLOEXEC, 0444); File >= 0)
    ::close(File);
  return ::syscall(SYS_move_mount, Mount, "", AT_FDCWD, Target.Text, MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

bool mountMemory(const char *Path, const char *Options) {
  InRoot Target(Path);
  makeParents(Target);
  ::mkdir(Target.Text, 0755);
  return ::mount("tmpfs", Target.Text, "tmpfs", NoSuidNoDev, Options) == 0;
}

/// The process namespace's own /proc. A container that hides parts of its /proc lets nobody have a
/// whole one (mount_namespaces(7)); then ours must do. Read-only where it can be, since files under
/// /proc/sys are writable for the user 0 without any capability.
bool mountProc(bool Writable, int Ours, LayerResults &Results) {
  InRoot Target("/proc");
  ::mkdir(Target.Text, 0755);
  if (Results.holds(IsolationLayer::Processes)) {
    if (mountOwnProc(Target.Text, Writable))
      return true;
    Results.refuse(IsolationLayer::Processes, errno);
  }
  return Ours >= 0 &&
         ::syscall(SYS_move_mount, Ours, "", AT_FDCWD, Target.Text, MOVE_MOUNT_F_EMPTY_PATH) == 0 &&
         (!Writable || protectMachinesProc(Target.Text));
}

bool build(const IsolationPlan &Plan, int *Mounts, int Proc, LayerResults &Results) {
  for (unsigned I = 0; I != Plan.PartCount; ++I)
    if (Mounts[I] >= 0 && !place(Mounts[I], Plan.Parts[I].Path, Plan.Parts[I].Folder))
      return false;
  for (unsigned I = 0; I != Plan.LinkCount; ++I) {
    InRoot Name(Plan.Links[I].Path);
    makeParents(Name);
    (void)!::symlink(Plan.Links[I].Text, Name.Text);
  }
  // libc's shm_open and CUDA look for it.
  if (!mountMemory("/dev/shm", "mode=1777,size=268435456"))
    return false;
  if (Plan.Scratch && !mountMemory(Plan.Scratch, Plan.ScratchOptions))
    return false;
  if (!mountProc(Plan.OwnEntries, Proc, Results))
    return false;
  InRoot Fd("/dev/fd");
  (void)!::symlink("/proc/self/fd", Fd.Text);
  return setAttributes(AT_FDCWD, NewRoot, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
                       false) &&
         ::chdir(NewRoot) == 0 && ::syscall(SYS_pivot_root, ".", ".") == 0;
}

} // namespace

/// False and errno: the root is still ours.
bool cupel::enterPrivateRoot(const IsolationPlan &Plan, LayerResults &Results) {
  int Mounts[MaxParts];
  if (Plan.PartCount > MaxParts) {
    errno = E2BIG;
    return false;
  }
  // So that nothing of what follows reaches the machine's own namespace.
  if (::mount(nullptr, "/", nullptr, RecursivePrivate, nullptr) != 0)
    return false;
  for (unsigned I = 0; I != Plan.PartCount; ++I) {
    const IsolationPlan::Part &Part = Plan.Parts[I];
    Mounts[I] = takeAside(Part.Path, Part.Folder, Part.Writable);
    if (Mounts[I] < 0 && errno != ENOENT)
      return false; // Descriptors are closed with the process; there are few.
  }
  int Proc = takeAside("/proc", /*Folder=*/true, Plan.OwnEntries);
  if (::mount("root", NewRoot, "tmpfs", NoSuidNoDev, "mode=0755,size=4m") != 0)
    return false;
  LayerResults Before = Results;
  if (!build(Plan, Mounts, Proc, Results)) {
    int Error = errno;
    (void)!::chdir("/");
    ::umount2(NewRoot, Detach);
    Results = Before;
    errno = Error;
    return false;
  }
  // The old root now lies over the new one.
  ::umount2(".", Detach);
  return ::chdir("/") == 0;
}
