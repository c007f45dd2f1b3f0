//===- ProcessKeeper.cpp - the process between us and a child ---------------===//
//
// Everything here runs between fork and exec, or in the keeper, which never execs: in a copy of a
// process whose other threads are gone with whatever locks they held. So only functions that
// signal-safety(7) lists are called, and system calls.
//
//===----------------------------------------------------------------------===//

#include "ProcessKeeper.h"
#include "ProcessTable.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cupel;

/// Our own copies of the descriptors lie from here on, so that moving them to their places in the
/// child never overwrites one that is still needed.
static constexpr int FirstCopy = 512;
static constexpr double SecondsToDie = 20;

static double seconds() {
  timespec Time;
  ::clock_gettime(CLOCK_MONOTONIC, &Time);
  return double(Time.tv_sec) + double(Time.tv_nsec) * 1e-9;
}

static void pauseFor(long Microseconds) {
  timespec Time = {0, Microseconds * 1000};
  ::nanosleep(&Time, nullptr);
}

static void send(int Status, const KeeperMessage &Message) {
  while (::write(Status, &Message, sizeof(Message)) < 0 && errno == EINTR) {
  }
}

static void closeRange(unsigned First, unsigned Last) {
  if (First > Last || ::syscall(SYS_close_range, First, Last, 0) == 0)
    return;
  // Kernels before 5.9. Descriptors above this are possible there, but nobody here makes them.
  for (unsigned I = First; I <= Last && I < 65536; ++I)
    ::close(int(I));
}

/// Makes a copy at FirstCopy or above that exec closes; -1 and errno on failure.
static int moveUp(int Number) { return ::fcntl(Number, F_DUPFD_CLOEXEC, FirstCopy); }

static void resetSignals() {
  struct sigaction Default = {};
  Default.sa_handler = SIG_DFL;
  for (int Signal = 1; Signal < NSIG; ++Signal)
    ::sigaction(Signal, &Default, nullptr);
  sigset_t None;
  ::sigemptyset(&None);
  ::sigprocmask(SIG_SETMASK, &None, nullptr);
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

[[noreturn]] static void fail(int Report, KeeperMessage::StageType Stage) {
  KeeperMessage Message{KeeperMessage::StartFailed};
  Message.Stage = Stage;
  Message.Errno = errno;
  send(Report, Message);
  ::_exit(127);
}

/// \p Report is closed by a successful exec.
[[noreturn]] static void becomeChild(const LaunchPlan &Plan, pid_t Keeper, int Report) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != Keeper) // It died before the line above.
    ::_exit(127);
  resetSignals();
  if (Plan.WorkingDirectory && ::chdir(Plan.WorkingDirectory) != 0)
    fail(Report, KeeperMessage::ChangeDirectory);
  for (unsigned I = 0; I != Plan.MoveCount; ++I)
    if (::dup2(Plan.Moves[I].Ours, Plan.Moves[I].Childs) < 0)
      fail(Report, KeeperMessage::Descriptors);
  for (unsigned I = 0; I != Plan.LimitCount; ++I)
    if (::setrlimit(__rlimit_resource_t(Plan.Limits[I].Resource), &Plan.Limits[I].Value) != 0)
      fail(Report, KeeperMessage::Limits);
  // Another thread of ours may have forked while it held the program open for writing; its copy
  // closes that in a moment.
  for (int Try = 0; Try != 100; ++Try) {
    ::execve(Plan.Program, Plan.Arguments, Plan.Environment);
    if (errno != ETXTBSY)
      break;
    pauseFor(10'000);
  }
  fail(Report, KeeperMessage::Execute);
}

//===----------------------------------------------------------------------===//
// Killing
//===----------------------------------------------------------------------===//

/// Big enough for any process limit in use; only the pages that are needed are ever touched.
static ProcessEntry Table[1 << 15];
static constexpr size_t TableCapacity = sizeof(Table) / sizeof(Table[0]);

static void recordEnd(KeeperMessage &Message, int WaitStatus, const rusage &Usage) {
  auto Microseconds = [](const timeval &Time) {
    return int64_t(Time.tv_sec) * 1'000'000 + int64_t(Time.tv_usec);
  };
  Message.WaitStatus = WaitStatus;
  Message.CpuMicroseconds = Microseconds(Usage.ru_utime) + Microseconds(Usage.ru_stime);
  Message.MaxRssBytes = int64_t(Usage.ru_maxrss) * 1024;
}

/// Kills and reaps, round after round, until nothing of ours is left. Of what we have not reaped
/// the process ids cannot be given to others, so no stranger is hit.
static bool killEverything(pid_t Child, KeeperMessage &Message) {
  const double End = seconds() + SecondsToDie;
  while (true) {
    rusage Usage;
    int WaitStatus;
    pid_t Reaped;
    while ((Reaped = ::wait4(-1, &WaitStatus, WNOHANG, &Usage)) > 0)
      if (Reaped == Child)
        recordEnd(Message, WaitStatus, Usage);
    if (Reaped < 0 && errno == ECHILD)
      return true;
    if (seconds() > End)
      return false;
    size_t Count = readProcessTable(Table, TableCapacity);
    markDescendants(Table, Count, ::getpid());
    killDescendants(Table, Count);
    if (Count == 0 && Child > 0) // No /proc: what made no session of its own is all we can find.
      ::kill(-Child, SIGKILL);
    pauseFor(500);
  }
}

//===----------------------------------------------------------------------===//
// The keeper
//===----------------------------------------------------------------------===//

/// Closes everything but the plan's descriptors, which get new numbers, and lets go
/// of our standard streams, which somebody may wait for the end of.
static bool keepOnlyOurDescriptors(LaunchPlan &Plan) {
  int *Kept[LaunchPlan::MaxMoves + 2];
  unsigned Count = 0;
  for (unsigned I = 0; I != Plan.MoveCount; ++I)
    Kept[Count++] = &Plan.Moves[I].Ours;
  Kept[Count++] = &Plan.Control;
  Kept[Count++] = &Plan.Status;
  int Lowest = INT_MAX;
  for (unsigned I = 0; I != Count; ++I) {
    *Kept[I] = moveUp(*Kept[I]);
    if (*Kept[I] < 0)
      return false;
    Lowest = *Kept[I] < Lowest ? *Kept[I] : Lowest;
  }
  // The copies are in rising order, each the lowest number that was free.
  closeRange(3, unsigned(Lowest) - 1);
  for (unsigned I = 0; I + 1 < Count; ++I)
    closeRange(unsigned(*Kept[I]) + 1, unsigned(*Kept[I + 1]) - 1);
  closeRange(unsigned(*Kept[Count - 1]) + 1, ~0u);
  int Null = ::open("/dev/null", O_RDWR);
  for (int Standard = 0; Standard != 3; ++Standard)
    if (Null != Standard)
      ::dup2(Null, Standard);
  if (Null > 2)
    ::close(Null);
  return true;
}

/// Starts the child and tells how that went. Returns its id, or ends the keeper.
static pid_t startChild(const LaunchPlan &Plan) {
  int Report[2];
  pid_t Keeper = ::getpid();
  if (::pipe2(Report, O_CLOEXEC) != 0)
    fail(Plan.Status, KeeperMessage::Fork);
  pid_t Child = ::fork();
  if (Child < 0)
    fail(Plan.Status, KeeperMessage::Fork);
  if (Child == 0)
    becomeChild(Plan, Keeper, Report[1]);
  ::close(Report[1]);
  KeeperMessage Message;
  ssize_t Got;
  do
    Got = ::read(Report[0], &Message, sizeof(Message));
  while (Got < 0 && errno == EINTR);
  ::close(Report[0]);
  if (Got == ssize_t(sizeof(Message))) {
    send(Plan.Status, Message);
    ::_exit(0);
  }
  Message = {KeeperMessage::Started};
  Message.Pid = Child;
  send(Plan.Status, Message);
  return Child;
}

/// Waits until the child ends (true) or we are told to kill it (false). Orphans that end meanwhile
/// are reaped.
static bool waitForEnd(const LaunchPlan &Plan, int Signals, pid_t Child, KeeperMessage &Message) {
  while (true) {
    pollfd Polled[] = {{Plan.Control, POLLIN, 0}, {Signals, POLLIN, 0}};
    if (::poll(Polled, 2, -1) < 0 && errno != EINTR)
      return false;
    signalfd_siginfo Ignored;
    if (Polled[1].revents)
      (void)!::read(Signals, &Ignored, sizeof(Ignored));
    rusage Usage;
    int WaitStatus;
    pid_t Reaped;
    while ((Reaped = ::wait4(-1, &WaitStatus, WNOHANG, &Usage)) > 0) {
      if (Reaped != Child)
        continue;
      recordEnd(Message, WaitStatus, Usage);
      return true;
    }
    if (Polled[0].revents)
      return false;
  }
}

/// Descendants that live on after the child's end, 0 in the usual case without a look at /proc.
static size_t countLeftBehind() {
  siginfo_t Info;
  if (::waitid(P_ALL, 0, &Info, WEXITED | WNOHANG | WNOWAIT) != 0) // ECHILD
    return 0;
  size_t Count = readProcessTable(Table, TableCapacity);
  return markDescendants(Table, Count, ::getpid());
}

void cupel::keepChild(const LaunchPlan &Prepared) {
  LaunchPlan Plan = Prepared;
  ::setsid();
  ::prctl(PR_SET_NAME, "cupel-keeper");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  resetSignals();
  struct sigaction Ignore = {};
  Ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &Ignore, nullptr);
  sigset_t ChildEnds;
  ::sigemptyset(&ChildEnds);
  ::sigaddset(&ChildEnds, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &ChildEnds, nullptr);
  if (!keepOnlyOurDescriptors(Plan))
    fail(Plan.Status >= 0 ? Plan.Status : Prepared.Status, KeeperMessage::Descriptors);

  pid_t Child = startChild(Plan);
  // The child has its own; ours would keep its pipes open.
  for (unsigned I = 0; I != Plan.MoveCount; ++I)
    ::close(Plan.Moves[I].Ours);
  KeeperMessage Message{KeeperMessage::Ended};
  int Signals = ::signalfd(-1, &ChildEnds, SFD_CLOEXEC | SFD_NONBLOCK);
  Message.ByItself = Signals >= 0 && waitForEnd(Plan, Signals, Child, Message);
  if (Message.ByItself)
    Message.LeftBehind = int32_t(countLeftBehind());
  Message.Unkillable = !killEverything(Child, Message);
  send(Plan.Status, Message);
  ::_exit(0);
}
