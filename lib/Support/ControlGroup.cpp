//===- ControlGroup.cpp - a control group for one child ---------------------===//
//
// Kernel documentation, admin-guide/cgroup-v2: a group may have processes or pass controllers on to
// groups below it, not both, so ours mostly cannot have children with limits. A sibling can, where
// we may write to the parent; the root group alone may have both.
//
//===----------------------------------------------------------------------===//

#include "ControlGroup.h"
#include <atomic>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace cupel;
using llvm::StringRef;

static bool writeTo(const std::string &File, StringRef Text) {
  int Fd = ::open(File.c_str(), O_WRONLY | O_CLOEXEC);
  if (Fd < 0)
    return false;
  bool Done = ::write(Fd, Text.data(), Text.size()) == ssize_t(Text.size());
  int Error = errno;
  ::close(Fd);
  errno = Error;
  return Done;
}

/// The line of version 2 in /proc/self/cgroup, `0::/user.slice/...`.
static std::string ownGroup(StringRef OwnFile) {
  std::ifstream In(OwnFile.str());
  for (std::string Line; std::getline(In, Line);)
    if (StringRef(Line).starts_with("0::/"))
      return Line.substr(3);
  return "";
}

/// Whether groups below \p Group can have limits of memory and tasks.
static bool passesOn(const std::string &Group) {
  std::ifstream In(Group + "/cgroup.subtree_control");
  bool Memory = false, Pids = false;
  for (std::string Name; In >> Name;) {
    Memory |= Name == "memory";
    Pids |= Name == "pids";
  }
  return Memory && Pids;
}

ControlGroup::ControlGroup(uint64_t MemoryBytes, unsigned MaxTasks, StringRef Root,
                           StringRef OwnFile) {
  const std::string Own = ownGroup(OwnFile);
  Errno = ENOENT;
  if (Own.empty() || ::access((Root.str() + "/cgroup.controllers").c_str(), F_OK) != 0)
    return; // Version 1, or none.
  StringRef Parent = StringRef(Own).rsplit('/').first;
  for (StringRef Candidate : {StringRef(Own), Parent})
    if (make(Root.str() + Candidate.str(), MemoryBytes, MaxTasks))
      return;
}

bool ControlGroup::make(const std::string &Parent, uint64_t MemoryBytes, unsigned MaxTasks) {
  static std::atomic<unsigned> Count{0};
  // Switched on by whoever runs this machine; to do so here would change it for others too.
  if (!passesOn(Parent))
    return false;
  std::string New = Parent + "/cupel-" + std::to_string(::getpid()) + "-" + std::to_string(Count++);
  if (::mkdir(New.c_str(), 0755) != 0) {
    Errno = errno;
    return false;
  }
  errno = 0;
  Path = New;
  bool Done = (MemoryBytes == 0 || writeTo(New + "/memory.max", std::to_string(MemoryBytes))) &&
              (MaxTasks == 0 || writeTo(New + "/pids.max", std::to_string(MaxTasks)));
  if (Done) {
    writeTo(New + "/memory.swap.max", "0"); // Not there without swap accounting.
    writeTo(New + "/memory.oom.group", "1");
    Processes = ::open((New + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
  }
  Errno = Processes < 0 ? errno : 0;
  if (Processes >= 0)
    return true;
  ::rmdir(New.c_str());
  Path.clear();
  return false;
}

bool ControlGroup::ranOutOfMemory() const {
  if (Path.empty())
    return false;
  std::ifstream In(Path + "/memory.events");
  std::string Name;
  unsigned long long Value;
  while (In >> Name >> Value)
    if (Name == "oom_kill" && Value != 0)
      return true;
  return false;
}

ControlGroup::~ControlGroup() {
  if (Processes >= 0)
    ::close(Processes);
  if (Path.empty())
    return;
  writeTo(Path + "/cgroup.kill", "1"); // Linux 5.14; the keeper has killed all it knows of before.
  // A group whose last process has just died is busy for a moment.
  for (int Try = 0; Try != 200 && ::rmdir(Path.c_str()) != 0 && errno == EBUSY; ++Try)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}
