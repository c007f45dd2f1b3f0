//===- Namespaces.cpp - a process in namespaces of its own ------------------===//
//
// Runs in the forked keeper and init: only what ProcessKeeper.cpp allows.
//
//===----------------------------------------------------------------------===//

#include "IsolationPlan.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cupel;

namespace {

struct NamespaceLayer {
  IsolationLayer Layer;
  unsigned long Flag;
};

/// Processes come with a /proc of their own, which wants mounts of their own.
constexpr NamespaceLayer Namespaces[] = {{IsolationLayer::Namespace, CLONE_NEWUSER},
                                         {IsolationLayer::Files, CLONE_NEWNS},
                                         {IsolationLayer::Processes, CLONE_NEWPID | CLONE_NEWNS},
                                         {IsolationLayer::Network, CLONE_NEWNET},
                                         {IsolationLayer::Ipc, CLONE_NEWIPC},
                                         {IsolationLayer::HostName, CLONE_NEWUTS}};

bool writeFile(pid_t Pid, const char *Name, const char *Text) {
  char Path[64] = "/proc/", Digits[16];
  unsigned Count = 0;
  for (unsigned Rest = unsigned(Pid); Rest != 0; Rest /= 10)
    Digits[Count++] = char('0' + Rest % 10);
  char *At = Path + 6;
  while (Count != 0)
    *At++ = Digits[--Count];
  *At++ = '/';
  std::strcpy(At, Name);
  int File = ::open(Path, O_WRONLY | O_CLOEXEC);
  if (File < 0)
    return false;
  const auto Length = ssize_t(std::strlen(Text));
  bool Written = ::write(File, Text, size_t(Length)) == Length;
  int Error = errno;
  ::close(File);
  errno = Error;
  return Written;
}

/// The maps are written from outside: the new process's own could name only its own user.
bool mapUsers(const IsolationPlan &Plan, pid_t Pid) {
  // Who may not map groups freely must give up to drop them first (user_namespaces(7)).
  if (!Plan.Root && !writeFile(Pid, "setgroups", "deny"))
    return false;
  return writeFile(Pid, "gid_map", Plan.GroupMap) && writeFile(Pid, "uid_map", Plan.UserMap);
}

/// fork with namespaces. The child waits until its users are mapped. -1 and errno when that cannot
/// be had.
pid_t forkWith(unsigned long Flags, const IsolationPlan &Plan) {
  int Go[2];
  if (::pipe2(Go, O_CLOEXEC) != 0)
    return -1;
  // The C library has no call for it. What it would do more, reset its own locks, serves only
  // functions that are not called here.
  auto Pid = pid_t(::syscall(SYS_clone, Flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (Pid == 0) {
    ::close(Go[1]);
    char Byte;
    ssize_t Got;
    do
      Got = ::read(Go[0], &Byte, 1);
    while (Got < 0 && errno == EINTR);
    if (Got != 1) // No map, or the keeper died.
      ::_exit(127);
    ::close(Go[0]);
    return 0;
  }
  int Error = errno;
  ::close(Go[0]);
  if (Pid > 0 && (Flags & CLONE_NEWUSER) && !mapUsers(Plan, Pid)) {
    Error = errno;
    ::close(Go[1]);
    ::waitpid(Pid, nullptr, 0);
    errno = Error;
    return -1;
  }
  if (Pid > 0)
    (void)!::write(Go[1], "g", 1);
  ::close(Go[1]);
  errno = Error;
  return Pid;
}

/// 0 when a process can be had with these, else the errno.
int tryNamespaces(unsigned long Flags, const IsolationPlan &Plan) {
  pid_t Pid = forkWith(Flags, Plan);
  if (Pid == 0)
    ::_exit(0);
  if (Pid < 0)
    return errno;
  ::waitpid(Pid, nullptr, 0);
  return 0;
}

} // namespace

pid_t cupel::forkIntoNamespaces(const IsolationPlan &Plan, LayerResults &Results) {
  unsigned long All = 0;
  for (const NamespaceLayer &N : Namespaces)
    if (Plan.wants(N.Layer)) {
      All |= N.Flag;
      Results.hold(N.Layer);
    }
  pid_t Pid = forkWith(All, Plan);
  if (Pid >= 0 || All == 0)
    return Pid;

  // One by one. The user namespace first: without it only root gets the others, and where users may
  // have one without rights in it (Ubuntu's AppArmor), each of the others fails with it.
  unsigned long Base = 0;
  if (All & CLONE_NEWUSER) {
    int Refused = tryNamespaces(CLONE_NEWUSER, Plan);
    if (Refused == 0)
      Base = CLONE_NEWUSER;
    else
      Results.refuse(IsolationLayer::Namespace, Refused);
  }
  unsigned long Possible = Base;
  for (const NamespaceLayer &N : Namespaces) {
    if (!Plan.wants(N.Layer) || N.Flag == CLONE_NEWUSER)
      continue;
    if (int Refused = tryNamespaces(Base | N.Flag, Plan))
      Results.refuse(N.Layer, Refused);
    else
      Possible |= N.Flag;
  }
  return forkWith(Possible, Plan);
}
