//===- SystemCallFilter.cpp - system calls that no kernel's host code needs -===//
//
// Refused with EPERM, as by a kernel without the feature: libraries try things and go on. The list
// is that of what reaches outside of the process or has been a way into the kernel; it is not what
// keeps files and processes apart, which the namespaces do.
//
//===----------------------------------------------------------------------===//

#include "IsolationPlan.h"
#include "llvm/ADT/ScopeExit.h"
#include <asm/ioctls.h>
#include <cerrno>
#include <linux/sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace cupel;

namespace {

/// By name, since libseccomp may be older than a call; names that it does not know are left out.
constexpr const char *Refused[] = {
    // Other processes.
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "process_mrelease",
    "pidfd_getfd",
    "kcmp",
    // File systems and namespaces.
    "mount",
    "umount",
    "umount2",
    "pivot_root",
    "chroot",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "open_tree",
    "move_mount",
    "mount_setattr",
    "unshare",
    "setns",
    "name_to_handle_at",
    "open_by_handle_at",
    "fanotify_init",
    "quotactl",
    "quotactl_fd",
    "swapon",
    "swapoff",
    // Ways into the kernel that few programs need.
    "bpf",
    "perf_event_open",
    "keyctl",
    "add_key",
    "request_key",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "userfaultfd",
    "memfd_secret",
    "lookup_dcookie",
    "modify_ldt",
    "vmsplice",
    // The machine.
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "init_module",
    "finit_module",
    "delete_module",
    "create_module",
    "acct",
    "settimeofday",
    "clock_settime",
    "clock_adjtime",
    "adjtimex",
    "sethostname",
    "setdomainname",
    "iopl",
    "ioperm",
    "syslog",
    "vhangup",
    "nfsservctl",
};

constexpr uint64_t NewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                   CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

/// Adds one rule; calls that this machine does not have are no error.
int refuse(scmp_filter_ctx Filter, const char *Name, int Error,
           std::initializer_list<scmp_arg_cmp> When = {}) {
  int Call = ::seccomp_syscall_resolve_name(Name);
  if (Call == __NR_SCMP_ERROR)
    return 0;
  int Failed = ::seccomp_rule_add_array(Filter, SCMP_ACT_ERRNO(unsigned(Error)), Call,
                                        unsigned(When.size()), When.begin());
  return Failed == -EDOM || Failed == -EACCES ? 0 : Failed; // Another architecture's call.
}

int addRules(scmp_filter_ctx Filter) {
  for (const char *Name : Refused)
    if (int Failed = refuse(Filter, Name, EPERM))
      return Failed;
  // A thread or process that takes a new namespace along. clone3 has its flags in memory, where a
  // filter cannot look; without it libc takes clone.
  for (uint64_t Flag = 1; Flag <= NewNamespaces; Flag <<= 1)
    if (Flag & NewNamespaces)
      if (int Failed = refuse(Filter, "clone", EPERM, {SCMP_A0(SCMP_CMP_MASKED_EQ, Flag, Flag)}))
        return Failed;
  if (int Failed = refuse(Filter, "clone3", ENOSYS))
    return Failed;
  // Sockets other than AF_UNIX: the network namespace has no interface, but not every machine gives
  // us one, and vsock and others are in no namespace.
  static_assert(AF_UNIX == 1 && AF_UNSPEC == 0);
  for (const char *Name : {"socket", "socketpair"}) {
    if (int Failed = refuse(Filter, Name, EAFNOSUPPORT, {SCMP_A0_32(SCMP_CMP_GT, AF_UNIX)}))
      return Failed;
    if (int Failed = refuse(Filter, Name, EAFNOSUPPORT, {SCMP_A0_32(SCMP_CMP_LT, AF_UNIX)}))
      return Failed;
  }
  // A filter of the submission's own could answer the worker's calls in the kernel's place
  // (SECCOMP_RET_TRAP: the "seccomp trap" of gpu-mode/pygpubench's exploits).
  if (int Failed = refuse(Filter, "seccomp", EPERM))
    return Failed;
  if (int Failed = refuse(Filter, "prctl", EPERM, {SCMP_A0_32(SCMP_CMP_EQ, PR_SET_SECCOMP)}))
    return Failed;
  // Writing into a terminal's input.
  if (int Failed = refuse(Filter, "ioctl", EPERM, {SCMP_A1_32(SCMP_CMP_EQ, uint32_t(TIOCSTI))}))
    return Failed;
  return refuse(Filter, "ioctl", EPERM, {SCMP_A1_32(SCMP_CMP_EQ, uint32_t(TIOCLINUX))});
}

/// libseccomp 2.5 writes its program only to a descriptor.
int exportProgram(scmp_filter_ctx Filter, std::vector<sock_filter> &Program) {
  int File = ::memfd_create("filter", MFD_CLOEXEC);
  if (File < 0)
    return errno;
  llvm::scope_exit Close([&] { ::close(File); });
  if (int Failed = ::seccomp_export_bpf(Filter, File))
    return -Failed;
  const off_t Bytes = ::lseek(File, 0, SEEK_END);
  Program.resize(size_t(Bytes) / sizeof(sock_filter));
  return ::pread(File, Program.data(), size_t(Bytes), 0) == Bytes ? 0 : EIO;
}

} // namespace

int cupel::makeSystemCallFilter(std::vector<sock_filter> &Program) {
  scmp_filter_ctx Filter = ::seccomp_init(SCMP_ACT_ALLOW);
  if (!Filter)
    return ENOMEM;
  llvm::scope_exit Release([&] { ::seccomp_release(Filter); });
  // The 32-bit table has other numbers for the same calls, and x32 too.
  if (int Failed = ::seccomp_attr_set(Filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)))
    return -Failed;
  if (int Failed = addRules(Filter))
    return -Failed;
  return exportProgram(Filter, Program);
}
