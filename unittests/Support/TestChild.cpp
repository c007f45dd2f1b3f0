//===- TestChild.cpp - a child that misbehaves as it is told ----------------===//

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

static void sleepForEver() {
  while (true)
    ::pause();
}

/// A process in a session of its own, with a parent that is gone, whose id is printed.
static void daemonise() {
  int Ends[2];
  if (::pipe(Ends) != 0)
    std::exit(99);
  if (::fork() == 0) {
    ::setsid();
    if (pid_t Pid = ::fork(); Pid != 0) {
      (void)!::write(Ends[1], &Pid, sizeof(Pid));
      ::_exit(0);
    }
    ::setsid();
    sleepForEver();
  }
  ::wait(nullptr);
  pid_t Daemon = 0;
  (void)!::read(Ends[0], &Daemon, sizeof(Daemon));
  std::printf("%d\n", int(Daemon));
  std::fflush(stdout);
}

/// Bounded, lest a failure of what is tested take the machine with it.
static void forkBomb(bool OwnSessions) {
  auto *Count = static_cast<std::atomic<int> *>(
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  while (*Count < 5000) {
    ++*Count;
    if (::fork() == 0 && OwnSessions)
      ::setsid();
    ::alarm(20);
  }
  sleepForEver();
}

static void touchMemory(size_t Bytes) {
  // Volatile, since the compiler leaves out stores that nobody reads.
  auto *Memory = static_cast<volatile char *>(std::malloc(Bytes));
  if (!Memory) {
    std::puts("no memory");
    std::exit(12);
  }
  for (size_t I = 0; I < Bytes; I += 4096)
    Memory[I] = 1;
}

static void printDescriptors() {
  DIR *Folder = ::opendir("/proc/self/fd");
  int Own = ::dirfd(Folder);
  while (dirent *Entry = ::readdir(Folder))
    if (Entry->d_name[0] != '.' && std::atoi(Entry->d_name) != Own)
      std::printf("%s ", Entry->d_name);
  std::puts("");
}

static void copyInput() {
  char Buffer[4096];
  ssize_t Got;
  while ((Got = ::read(0, Buffer, sizeof(Buffer))) > 0)
    (void)!::write(1, Buffer, size_t(Got));
}

/// Answers each line on descriptor 3 with `re: LINE` on 4.
static void converse() {
  std::FILE *Requests = ::fdopen(3, "r");
  std::FILE *Replies = ::fdopen(4, "w");
  std::vector<char> Line(1 << 20);
  while (std::fgets(Line.data(), int(Line.size()), Requests)) {
    std::fprintf(Replies, "re: %s", Line.data());
    std::fflush(Replies);
  }
}

static void flood(int Descriptor, bool Newlines) {
  std::string Text(1 << 16, 'x');
  if (Newlines)
    for (size_t I = 63; I < Text.size(); I += 64)
      Text[I] = '\n';
  while (::write(Descriptor, Text.data(), Text.size()) > 0) {
  }
  std::exit(0);
}

/// As many as can be had, and says how many.
static void startThreads() {
  int Started = 0;
  try {
    for (; Started != 20'000; ++Started)
      std::thread(sleepForEver).detach();
  } catch (const std::system_error &) {
  }
  std::printf("%d\n", Started);
  std::fflush(stdout);
  ::_exit(0);
}

int main(int Count, char **Arguments) {
  std::string Mode = Count > 1 ? Arguments[1] : "";
  std::string Value = Count > 2 ? Arguments[2] : "";
  if (Mode == "exit")
    return std::atoi(Value.c_str());
  if (Mode == "signal")
    ::raise(std::atoi(Value.c_str()));
  if (Mode == "say") {
    std::puts(Value.c_str());
    std::fputs("to stderr\n", stderr);
    return 0;
  }
  if (Mode == "copy-input")
    copyInput();
  if (Mode == "descriptors")
    printDescriptors();
  if (Mode == "environment")
    std::puts(std::getenv(Value.c_str()) ? std::getenv(Value.c_str()) : "(unset)");
  if (Mode == "folder")
    std::puts(::getcwd(nullptr, 0));
  if (Mode == "sleep")
    sleepForEver();
  if (Mode == "ignore-signals") {
    for (int Signal = 1; Signal < 32; ++Signal)
      ::signal(Signal, SIG_IGN);
    sleepForEver();
  }
  if (Mode == "close-output") {
    ::close(1);
    ::close(2);
    sleepForEver();
  }
  if (Mode == "spin")
    while (true)
      (void)::getppid();
  if (Mode == "flood")
    flood(1, false);
  if (Mode == "flood-and-converse") {
    if (::fork() == 0)
      flood(1, true);
    converse();
  }
  if (Mode == "flood-replies")
    flood(4, false);
  if (Mode == "daemon")
    daemonise();
  if (Mode == "daemon-and-sleep") {
    daemonise();
    sleepForEver();
  }
  if (Mode == "fork-bomb")
    forkBomb(false);
  if (Mode == "session-bomb")
    forkBomb(true);
  if (Mode == "threads")
    startThreads();
  if (Mode == "memory") {
    touchMemory(std::strtoull(Value.c_str(), nullptr, 10));
    sleepForEver();
  }
  if (Mode == "memory-in-child") {
    if (::fork() == 0)
      touchMemory(std::strtoull(Value.c_str(), nullptr, 10));
    sleepForEver();
  }
  if (Mode == "big-file") {
    ::signal(SIGXFSZ, SIG_IGN);
    int File = ::open(Value.c_str(), O_WRONLY | O_CREAT, 0600);
    std::vector<char> Text(1 << 16);
    while (::write(File, Text.data(), Text.size()) > 0) {
    }
    return errno == EFBIG ? 27 : 1;
  }
  if (Mode == "kill-keeper") {
    daemonise();
    ::prctl(PR_SET_PDEATHSIG, 0);
    ::kill(::getppid(), SIGKILL);
    sleepForEver();
  }
  if (Mode == "converse")
    converse();
  if (Mode == "close-replies") {
    ::close(4);
    sleepForEver();
  }
  return 0;
}
