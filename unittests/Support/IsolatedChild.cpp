//===- IsolatedChild.cpp - a child that tries what isolation refuses --------===//
//
// Prints a line for each attempt: its name, and `done` or the errno with which it failed.
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/sched.h>
#include <string>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static void tell(const char *Name, long Result) {
  if (Result >= 0)
    std::printf("%s done\n", Name);
  else
    std::printf("%s %s\n", Name, strerrorname_np(errno));
  std::fflush(stdout);
}

static long call(long Number, long A = 0, long B = 0, long C = 0, long D = 0, long E = 0) {
  return ::syscall(Number, A, B, C, D, E);
}

static long writeTo(const char *Path) {
  int File = ::open(Path, O_WRONLY | O_CREAT, 0600);
  return File < 0 ? -1 : ::write(File, "x", 1);
}

/// Ours: the process that started the test, as the test's argument says.
int main(int Count, char **Arguments) {
  const pid_t Ours = Count > 1 ? std::atoi(Arguments[1]) : 0;
  const char *Secret = Count > 2 ? Arguments[2] : "/absent";
  std::printf("user %d\n", int(::getuid()));
  char Host[65] = "";
  ::gethostname(Host, sizeof(Host));
  std::printf("host %s\n", Host);
  tell("socket-inet", ::socket(AF_INET, SOCK_STREAM, 0));
  tell("socket-netlink", ::socket(AF_NETLINK, SOCK_RAW, 0));
  tell("socket-vsock", ::socket(AF_VSOCK, SOCK_STREAM, 0));
  tell("socket-unix", ::socket(AF_UNIX, SOCK_STREAM, 0));
  tell("ptrace", ::ptrace(PTRACE_SEIZE, Ours, nullptr, nullptr)); // Stops nobody.
  tell("signal-ours", ::kill(Ours, 0));
  char Byte;
  iovec Local{&Byte, 1}, Remote{Arguments, 1};
  tell("read-ours", ::process_vm_readv(Ours, &Local, 1, &Remote, 1, 0));
  tell("setns", call(SYS_setns, 0, 0));
  tell("mount", call(SYS_mount, long("x"), long("/absent"), long("tmpfs")));
  tell("keyctl", call(SYS_keyctl, 0, -3, 0));
  tell("bpf", call(SYS_bpf, 0, 0, 0));
  tell("io-uring", call(SYS_io_uring_setup, 1, 0));
  tell("perf", call(SYS_perf_event_open, 0, 0, -1, -1));
  tell("userfaultfd", call(SYS_userfaultfd, 0));
  tell("device-node", ::mknod("node", S_IFBLK | 0600, 0));
  tell("read-secret", ::open(Secret, O_RDONLY));
  tell("write-system", ::open("/usr/bin/env", O_WRONLY));
  tell("write-outside", writeTo((std::string(Secret) + ".theirs").c_str()));
  tell("write-proc", ::open("/proc/sys/kernel/core_pattern", O_WRONLY));
  tell("write-sysrq", ::open("/proc/sysrq-trigger", O_WRONLY));
  // As CUDA names its threads.
  tell("name-thread", ::open(("/proc/self/task/" + std::to_string(::gettid()) + "/comm").c_str(),
                             O_WRONLY | O_CREAT | O_TRUNC, 0666));
  tell("write-scratch", writeTo("mine"));
  tell("new-user", ::setresuid(1, 1, 1));
  tell("unshare-user", call(SYS_unshare, CLONE_NEWUSER));
  long Child = call(SYS_clone, CLONE_NEWUSER | SIGCHLD);
  if (Child == 0)
    ::_exit(0);
  tell("clone-user", Child);
  return 0;
}
