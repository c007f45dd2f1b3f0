// Attacks on the process, the machine and the judge. Each deed returns whether it succeeded; the
// result is right unless it did, so `accepted` says that the deed came to nothing.
//@SCALE@
#include <arpa/inet.h>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

bool listable(const char *Path) {
  DIR *Folder = ::opendir(Path);
  if (!Folder)
    return false;
  int Names = 0;
  while (dirent *Entry = ::readdir(Folder))
    Names += Entry->d_name[0] != '.';
  ::closedir(Folder);
  return Names != 0;
}

bool creates(const std::string &Path) {
  int File = ::open(Path.c_str(), O_CREAT | O_WRONLY, 0644);
  if (File >= 0)
    ::close(File);
  return File >= 0;
}

bool opens(const char *Path, int How) { return ::open(Path, How) >= 0; }

// --- Ending and hanging
// ---------------------------------------------------------------------------

struct Thrower {
  ~Thrower() { throw 1; }
};

__attribute__((noinline)) int recurse(int Depth) {
  volatile char Room[4096];
  Room[0] = char(Depth);
  return Room[0] + recurse(Depth + 1) + Room[0];
}

bool forkBomb() {
  for (;;)
    if (::fork() == 0)
      ::setsid();
}

bool flood() {
  for (;;)
    std::puts("the same line again and again, until somebody has had enough of it");
}

bool forged(const char *Line) {
  ::dprintf(4, "%s\n", Line);
  return false;
}

/// Takes the next request and answers it, as if the worker had.
bool answersForTheWorker() {
  std::thread([] {
    static char Request[1 << 16];
    ssize_t Got = ::read(3, Request, sizeof(Request) - 1);
    if (Got > 0)
      ::dprintf(4, "{\"id\":1,\"nonce\":\"0\",\"ok\":true,\"outputs\":[],\"inputs_changed\":[]}\n");
  }).detach();
  return false;
}

bool runsOn() {
  std::thread([] {
    for (;;)
      ::usleep(1000);
  }).detach();
  return false;
}

bool daemonOutlives() {
  if (::fork() == 0) {
    ::setsid();
    for (int Signal : {SIGTERM, SIGHUP, SIGINT})
      std::signal(Signal, SIG_IGN);
    if (::fork() != 0)
      ::_exit(0);
    for (;;)
      ::pause();
  }
  return false;
}

// --- Other processes
// ------------------------------------------------------------------------------

/// Any process that is neither this one, nor its init, nor a child of its own.
bool seesOthers() {
  DIR *Proc = ::opendir("/proc");
  bool Seen = false;
  while (dirent *Entry = Proc ? ::readdir(Proc) : nullptr) {
    int Pid = std::atoi(Entry->d_name);
    Seen |= Pid > 1 && Pid != ::getpid();
  }
  return Seen;
}

bool killsOthers() {
  if (::getppid() != 1) // Nobody keeps the machine from us, and the test is not to end it.
    return true;
  bool Done = false;
  for (int Pid = 2; Pid < 40000; ++Pid)
    // A thread's number reaches its process too: ours, where CUDA has threads in it.
    if (::access(("/proc/self/task/" + std::to_string(Pid)).c_str(), F_OK) != 0)
      Done |= ::kill(Pid, SIGTERM) == 0;
  // The parent alone answers for the rest: it must live, or no answer gets out.
  ::kill(::getppid(), SIGKILL);
  ::kill(::getppid(), SIGSTOP);
  return Done;
}

bool readsMemoryOf(int Pid) {
  char Byte;
  iovec Local{&Byte, 1}, Remote{reinterpret_cast<void *>(0x400000), 1};
  std::string Memory = "/proc/" + std::to_string(Pid) + "/mem";
  return ::process_vm_readv(Pid, &Local, 1, &Remote, 1, 0) >= 0 ||
         opens(Memory.c_str(), O_RDONLY) || errno == EFAULT;
}

bool traces(int Pid) { return ::ptrace(PTRACE_SEIZE, Pid, nullptr, nullptr) == 0; }

/// As the kit of exploits does it: a child that patches its parent's code.
bool childPatchesParent() {
  int Child = ::fork();
  if (Child == 0) {
    bool Patched = ::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr) == 0 ||
                   opens(("/proc/" + std::to_string(::getppid()) + "/mem").c_str(), O_RDWR);
    ::_exit(Patched);
  }
  int Status = 0;
  ::waitpid(Child, &Status, 0);
  return Status != 0;
}

bool readsInit() {
  for (const char *Name : {"/proc/1/environ", "/proc/1/mem", "/proc/1/maps", "/proc/1/fd/0"})
    if (int File = ::open(Name, O_RDONLY); File >= 0) {
      char Byte;
      if (::read(File, &Byte, 1) > 0)
        return true;
    }
  return false;
}

bool seesSecretsInEnvironment() {
  for (char **Entry = environ; *Entry; ++Entry)
    if (std::strstr(*Entry, "SECRET") || std::strstr(*Entry, "CUPEL"))
      return true;
  return false;
}

// --- Files
// ----------------------------------------------------------------------------------------

/// Its own library lies in a folder; what else does? The judge's other builds would be in reach.
bool seesOtherBuilds() {
  std::ifstream Maps("/proc/self/maps");
  for (std::string Line; std::getline(Maps, Line);) {
    size_t At = Line.find("/submission.so");
    if (At == std::string::npos)
      continue;
    std::string Folder = Line.substr(Line.find('/'), At - Line.find('/'));
    int Names = 0;
    if (DIR *Open = ::opendir(Folder.c_str()))
      while (dirent *Entry = ::readdir(Open))
        Names += Entry->d_name[0] != '.';
    return Names > 1 || ::unlink((Folder + "/submission.so").c_str()) == 0 ||
           creates(Folder + "/more.so") || listable((Folder + "/../..").c_str());
  }
  return true;
}

bool fillsDisk() {
  std::string Block(1 << 20, 'x');
  int File = ::open("big", O_CREAT | O_WRONLY, 0600);
  for (int I = 0; I < 4096; ++I)
    if (::write(File, Block.data(), Block.size()) <= 0)
      return false;
  return true;
}

bool leavesSharedMemory() {
  ::shmget(0x63757065, 4096, IPC_CREAT | 0666);
  int File = ::shm_open("/cupel-hostile", O_CREAT | O_RDWR, 0600);
  return File < 0; // It may have one; it may not be left.
}

// --- Network, kernel
// ------------------------------------------------------------------------------

bool connects() {
  for (int Family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK})
    if (::socket(Family, Family == AF_PACKET || Family == AF_NETLINK ? SOCK_RAW : SOCK_STREAM, 0) >=
        0)
      return true;
  return false;
}

bool talksToServices() {
  for (const char *Path :
       {"/var/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private"}) {
    sockaddr_un Address{AF_UNIX, ""};
    std::strcpy(Address.sun_path, Path);
    int Socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::connect(Socket, reinterpret_cast<sockaddr *>(&Address), sizeof(Address)) == 0)
      return true;
  }
  return false;
}

/// Whether any of the calls is let through: only an argument would be wrong.
bool entersKernel(std::initializer_list<long> Calls) {
  for (long Call : Calls)
    if (::syscall(Call, 0, 0, 0, 0, 0, 0) >= 0 || (errno != EPERM && errno != ENOSYS))
      return true;
  return false;
}

bool raisesLimits() {
  rlimit Much{RLIM_INFINITY, RLIM_INFINITY};
  return ::setrlimit(RLIMIT_FSIZE, &Much) == 0 || ::setpriority(PRIO_PROCESS, 0, -20) == 0;
}

/// Also by running a program that the system trusts.
bool getsRights() {
  return ::setresuid(0, 0, 0) == 0 || ::setgid(0) == 0 ||
         std::system("mount -t tmpfs x /tmp >/dev/null 2>&1") == 0;
}

bool escapesGroup() {
  for (const char *Path : {"/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/memory/cgroup.procs",
                           "/sys/fs/cgroup/unified/cgroup.procs"})
    if (opens(Path, O_WRONLY))
      return true;
  return creates("/sys/fs/cgroup/x");
}

/// A filter that answers write(2) in the kernel's place, to change what the worker reports.
bool trapsTheWorker() {
  return ::prctl(PR_SET_SECCOMP, 2, nullptr) == 0 || errno == EFAULT ||
         ::syscall(SYS_seccomp, 1, 0, nullptr) == 0 || errno == EFAULT;
}

bool knowsTheHost() {
  char Name[65] = "";
  ::gethostname(Name, sizeof(Name));
  return std::strcmp(Name, "candidate") != 0;
}

bool breaksTheExchange() {
  return ::ftruncate(5, 0) == 0 || ::fcntl(5, F_ADD_SEALS, F_SEAL_WRITE) == 0;
}

/// Removes the answers that the judge reads, again and again, after the call.
bool scribblesOnOutputs() {
  std::thread([] {
    void *Memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0);
    for (int I = 0; I < 2000; ++I, ::usleep(100))
      std::memset(Memory, 0xFF, 4000);
  }).detach();
  ::usleep(20000);
  return false;
}

bool executesItselfAgain() {
  ::execl("/proc/self/exe", "cupel-worker", "candidate", "--request-fd", "3", "--reply-fd", "4",
          "--memory-fd", "5", nullptr);
  return false;
}

bool deed(int64_t Act) {
  switch (Act) {
    // clang-format off
  case 1: std::exit(0);
  case 2: ::_exit(3);
  case 3: std::abort();
  case 4: *reinterpret_cast<volatile int *>(8) = 1; return false;
  case 5: return forkBomb();
  case 6: return flood();
  case 7: ::syscall(SYS_close_range, 0, 1000, 0); return false;
  case 8: return forged("garbage");
  case 9: return forged("{\"id\":3,\"nonce\":\"00\",\"ok\":true,\"outputs\":[]}");
  case 10: return answersForTheWorker();
  case 11: { Thrower T; } return false;
  case 12: return recurse(0) == 0;
  case 13: { volatile int Zero = 0; volatile int Quotient = 7 / Zero; return Quotient != 0; }
  case 14: ::raise(SIGKILL); return false;
  case 15: for (;;) { std::signal(SIGTERM, SIG_IGN); }
  case 16: ::raise(SIGSTOP); return false;
  case 17: return fillsDisk();
  case 18: { static char *volatile Much = new char[size_t(1) << 50]; return Much != nullptr; }
  case 19: return executesItselfAgain();
  case 20: return seesOthers();
  case 21: return killsOthers();
  case 22: return readsMemoryOf(::getppid()) || traces(::getppid());
  case 23: return childPatchesParent();
  case 24: return readsInit();
  case 25: return seesSecretsInEnvironment();
  case 26: return listable("/root") || listable("/home") || listable("/tmp") || listable("/var");
  case 27: return seesOtherBuilds();
  case 28: return creates("/tmp/cupel-hostile") || creates("/var/tmp/cupel-hostile") || creates("/cupel-hostile") || creates("/usr/lib/cupel-hostile.so");
  case 29: return opens("/etc/shadow", O_RDONLY) || opens("/etc/hostname", O_RDONLY) || opens("/etc/machine-id", O_RDONLY);
  case 30: return opens("/proc/sys/kernel/core_pattern", O_WRONLY) || opens("/proc/sysrq-trigger", O_WRONLY) || opens("/dev/mem", O_RDONLY) || opens("/dev/kmsg", O_RDONLY) || opens("/dev/fuse", O_RDWR);
  case 31: return leavesSharedMemory();
  case 32: return connects();
  case 33: return talksToServices();
  case 34: return entersKernel({SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_keyctl, SYS_add_key, SYS_init_module, SYS_kexec_load, SYS_ptrace, SYS_pidfd_getfd});
  case 35: return ::mount("x", "/tmp", "tmpfs", 0, nullptr) == 0 || ::syscall(SYS_unshare, 0x10000000) == 0 || ::syscall(SYS_setns, 3, 0) == 0 || ::chroot(".") == 0;
  case 36: return raisesLimits();
  case 37: return getsRights();
  case 38: return escapesGroup();
  case 39: return trapsTheWorker();
  case 40: return knowsTheHost();
  case 41: return breaksTheExchange();
  case 42: return daemonOutlives();
  case 43: return runsOn();
  case 44: std::atexit([] { ::dprintf(4, "{\"ok\":true}\n"); }); return false;
  case 45: return scribblesOnOutputs();
  case 46: return opens("/proc/self/mem", O_RDWR);
    // clang-format on
  }
  return false;
}

} // namespace

torch::Tensor forward(torch::Tensor x, torch::Tensor w, int64_t act) {
  if (deed(act))
    return torch::zeros_like(x);
  return scale(x, w);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
