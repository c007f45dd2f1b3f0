//===- ProcessKeeper.cpp - the process between us and a child ---------------===//
//
// Everything here runs between fork and exec, or in the keeper, which never execs: in a copy of a
// process whose other threads are gone with whatever locks they held. So only functions that
// signal-safety(7) lists are called, and system calls.
//
//===----------------------------------------------------------------------===//

#include "ProcessKeeper.h"
#include "ProcessTable.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
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

/// A pipe at FirstCopy or above: one whose ends had low numbers would be overwritten in the child.
static bool makeHighPipe(int (&Ends)[2]) {
  int Low[2];
  if (::pipe2(Low, O_CLOEXEC) != 0)
    return false;
  for (int I = 0; I != 2; ++I) {
    Ends[I] = moveUp(Low[I]);
    ::close(Low[I]);
  }
  return Ends[0] >= 0 && Ends[1] >= 0;
}

/// Past the C library: AddressSanitizer takes a lock of its own for prctl(PR_SET_NAME), which
/// another thread may have held at the fork, and then the child waits for ever.
static void nameProcess(const char *Name) { ::syscall(SYS_prctl, PR_SET_NAME, Name, 0, 0, 0); }

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

/// Confines this process for good and reports what came of it.
static void isolate(const LaunchPlan &Plan, LayerResults Layers, int Report) {
  confineChild(*Plan.Isolation, Layers);
  KeeperMessage Message{KeeperMessage::Started};
  Message.Layers = Layers;
  send(Report, Message);
}

/// \p Parent is the process that forked this one, as it knows itself. \p Report is closed by a
/// successful exec.
[[noreturn]] static void becomeChild(const LaunchPlan &Plan, pid_t Parent, int Report,
                                     const LayerResults &Layers = {}) {
  ::setsid();
  resetSignals();
  if (Plan.WorkingDirectory && ::chdir(Plan.WorkingDirectory) != 0)
    fail(Report, KeeperMessage::ChangeDirectory);
  for (unsigned I = 0; I != Plan.MoveCount; ++I)
    if (::dup2(Plan.Moves[I].Ours, Plan.Moves[I].Childs) < 0)
      fail(Report, KeeperMessage::Descriptors);
  for (unsigned I = 0; I != Plan.LimitCount; ++I)
    if (::setrlimit(__rlimit_resource_t(Plan.Limits[I].Resource), &Plan.Limits[I].Value) != 0)
      fail(Report, KeeperMessage::Limits);
  if (Plan.Isolation)
    isolate(Plan, Layers, Report);
  // After a change of user, which takes it back.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != Parent) // It died before the line above.
    ::_exit(127);
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
// Ends and killing
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

/// Before everything else that wants to run, where we have the right to: among thousands of
/// processes that fork, an equal would never get its turn to kill them.
static void takePrecedence() {
  const sched_param First = {1};
  if (::sched_setscheduler(0, SCHED_FIFO, &First) != 0)
    ::setpriority(PRIO_PROCESS, 0, -20);
}

/// Kills and reaps, round after round, until nothing of ours is left. Of what we have not reaped
/// the process ids cannot be given to others, so no stranger is hit.
static bool killEverything(pid_t Child, KeeperMessage &Message) {
  // Thousands of processes take their time to die; it is over when none did for a while.
  const double Last = seconds() + 3 * SecondsToDie;
  double End = seconds() + SecondsToDie;
  takePrecedence();
  while (true) {
    rusage Usage;
    int WaitStatus;
    pid_t Reaped;
    while ((Reaped = ::wait4(-1, &WaitStatus, WNOHANG, &Usage)) > 0) {
      End = std::min(seconds() + SecondsToDie, Last);
      if (Reaped == Child)
        recordEnd(Message, WaitStatus, Usage);
    }
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

static bool hasChildren() {
  siginfo_t Info;
  return ::waitid(P_ALL, 0, &Info, WEXITED | WNOHANG | WNOWAIT) == 0; // Else ECHILD.
}

/// Descendants that live on after the child's end.
static size_t countDescendants() {
  size_t Count = readProcessTable(Table, TableCapacity);
  return markDescendants(Table, Count, ::getpid());
}

//===----------------------------------------------------------------------===//
// The keeper
//===----------------------------------------------------------------------===//

/// Closes everything but the plan's descriptors, which get new numbers, and lets go
/// of our standard streams, which somebody may wait for the end of.
static bool keepOnlyOurDescriptors(LaunchPlan &Plan) {
  int *Kept[LaunchPlan::MaxMoves + 3];
  unsigned Count = 0;
  for (unsigned I = 0; I != Plan.MoveCount; ++I)
    Kept[Count++] = &Plan.Moves[I].Ours;
  Kept[Count++] = &Plan.Control;
  if (Plan.Group >= 0)
    Kept[Count++] = &Plan.Group;
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

//===----------------------------------------------------------------------===//
// The init
//===----------------------------------------------------------------------===//

/// The process 1 of the child's namespace, whose end is the end of all in it. It never executes
/// anything, so it is what reaps the child: a signal that ends the child is told as it was, while
/// one that the child's own code sent to a process 1 would be ignored.
[[noreturn]] static void runInit(const LaunchPlan &Plan, LayerResults Layers, int Report, int End) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd Keeper = {End, 0, 0};
  if (::poll(&Keeper, 1, 0) != 0) // Nobody reads: it died before the line above.
    ::_exit(127);
  nameProcess("cupel-init");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1); // Where we are no process 1.
  // A copy of our memory, which holds what a submission may not know.
  ::prctl(PR_SET_DUMPABLE, 0);
  const IsolationPlan &Isolation = *Plan.Isolation;
  if (Isolation.wants(IsolationLayer::Memory)) {
    // Not the keeper, which has to live when the group's memory is used up.
    bool Entered = Plan.Group >= 0 && ::write(Plan.Group, "0", 1) == 1;
    if (Entered)
      Layers.hold(IsolationLayer::Memory);
    else
      Layers.refuse(IsolationLayer::Memory, Plan.Group < 0 ? Isolation.GroupErrno : errno);
  }
  if (Layers.holds(IsolationLayer::Files) && !enterPrivateRoot(Isolation, Layers))
    Layers.refuse(IsolationLayer::Files, errno);
  if (Layers.holds(IsolationLayer::Processes) && !Layers.holds(IsolationLayer::Files) &&
      !enterOwnProc(Isolation.OwnEntries))
    Layers.refuse(IsolationLayer::Processes, errno);
  static constexpr char HostName[] = "candidate";
  if (Layers.holds(IsolationLayer::HostName) && ::sethostname(HostName, sizeof(HostName) - 1) != 0)
    Layers.refuse(IsolationLayer::HostName, errno);

  pid_t Init = ::getpid();
  pid_t Child = ::fork();
  if (Child < 0)
    fail(Report, KeeperMessage::Fork);
  if (Child == 0)
    becomeChild(Plan, Init, Report, Layers);
  // The child has its own of all the others; ours would keep its pipes open.
  closeRange(0, unsigned(End) - 1);
  closeRange(unsigned(End) + 1, ~0u);
  KeeperMessage Message{KeeperMessage::Ended};
  rusage Usage;
  int WaitStatus;
  for (pid_t Reaped; (Reaped = ::wait4(-1, &WaitStatus, 0, &Usage)) != Child;)
    if (Reaped < 0 && errno != EINTR)
      ::_exit(127);
  recordEnd(Message, WaitStatus, Usage);
  Message.ByItself = 1;
  Message.LeftBehind = hasChildren();
  send(End, Message);
  // The keeper counts what is left, and then kills us all.
  while (true)
    ::pause();
}

//===----------------------------------------------------------------------===//
// The keeper
//===----------------------------------------------------------------------===//

namespace {
/// What the keeper waits for: the child, or the init that the child runs under.
struct Tracked {
  pid_t Pid = -1;
  int End = -1; ///< The init's word on how the child ended; -1: there is no init.
};
} // namespace

/// Reads a whole message; false at the end of the pipe.
static bool receive(int From, KeeperMessage &Message) {
  ssize_t Got;
  do
    Got = ::read(From, &Message, sizeof(Message));
  while (Got < 0 && errno == EINTR);
  return Got == ssize_t(sizeof(Message));
}

/// The only child of \p Pid, by the number it has outside of its namespace; 0 without /proc.
static pid_t childOf(pid_t Pid) {
  size_t Count = readProcessTable(Table, TableCapacity);
  for (size_t I = 0; I != Count; ++I)
    if (Table[I].Parent == Pid)
      return Table[I].Pid;
  return 0;
}

/// Starts the child and tells how that went. Ends the keeper when there is no child.
static Tracked startChild(const LaunchPlan &Plan) {
  int Report[2], End[2] = {-1, -1};
  pid_t Keeper = ::getpid();
  if (!makeHighPipe(Report) || (Plan.Isolation && !makeHighPipe(End)))
    fail(Plan.Status, KeeperMessage::Fork);
  LayerResults Layers;
  pid_t Pid = Plan.Isolation ? forkIntoNamespaces(*Plan.Isolation, Layers) : ::fork();
  if (Pid < 0)
    fail(Plan.Status, KeeperMessage::Fork);
  if (Pid == 0 && Plan.Isolation)
    runInit(Plan, Layers, Report[1], End[1]);
  if (Pid == 0)
    becomeChild(Plan, Keeper, Report[1]);
  ::close(Report[1]);
  if (End[1] >= 0)
    ::close(End[1]);
  KeeperMessage Message{KeeperMessage::Started}, Got;
  while (receive(Report[0], Got)) {
    Message = Got;
    if (Got.Kind == KeeperMessage::StartFailed) {
      ::kill(Pid, SIGKILL);
      ::waitpid(Pid, nullptr, 0);
      send(Plan.Status, Message);
      ::_exit(0);
    }
  }
  ::close(Report[0]);
  Message.Pid = Plan.Isolation ? childOf(Pid) : Pid;
  send(Plan.Status, Message);
  return {Pid, End[0]};
}

/// Waits until the child ends (true) or we are told to kill it (false). Orphans that end meanwhile
/// are reaped.
static bool waitForEnd(const LaunchPlan &Plan, int Signals, Tracked Child, KeeperMessage &Message) {
  while (true) {
    // poll leaves out negative descriptors.
    pollfd Polled[] = {{Plan.Control, POLLIN, 0}, {Signals, POLLIN, 0}, {Child.End, POLLIN, 0}};
    if (::poll(Polled, 3, -1) < 0 && errno != EINTR)
      return false;
    if (KeeperMessage End; Polled[2].revents && receive(Child.End, End)) {
      Message = End;
      return true;
    }
    signalfd_siginfo Ignored;
    if (Polled[1].revents)
      (void)!::read(Signals, &Ignored, sizeof(Ignored));
    rusage Usage;
    int WaitStatus;
    pid_t Reaped;
    while ((Reaped = ::wait4(-1, &WaitStatus, WNOHANG, &Usage)) > 0) {
      if (Reaped != Child.Pid)
        continue;
      // An init that ended without a word was killed, and the child with it.
      recordEnd(Message, WaitStatus, Usage);
      return true;
    }
    if (Polled[0].revents)
      return false;
  }
}

void cupel::keepChild(const LaunchPlan &Prepared) {
  LaunchPlan Plan = Prepared;
  ::setsid();
  nameProcess("cupel-keeper");
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

  Tracked Child = startChild(Plan);
  // The child has its own; ours would keep its pipes open.
  for (unsigned I = 0; I != Plan.MoveCount; ++I)
    ::close(Plan.Moves[I].Ours);
  KeeperMessage Message{KeeperMessage::Ended};
  int Signals = ::signalfd(-1, &ChildEnds, SFD_CLOEXEC | SFD_NONBLOCK);
  Message.ByItself = Signals >= 0 && waitForEnd(Plan, Signals, Child, Message);
  if (Message.ByItself && Child.End >= 0 && Message.LeftBehind != 0)
    Message.LeftBehind = int32_t(countDescendants()) - 1; // The init itself.
  else if (Message.ByItself && Child.End < 0 && hasChildren())
    Message.LeftBehind = int32_t(countDescendants());
  // What the init told of the child is not to be replaced by its own end.
  KeeperMessage Ignored;
  bool Told = Message.ByItself && Child.End >= 0;
  Message.Unkillable = !killEverything(Child.Pid, Told ? Ignored : Message);
  if (::getppid() != Plan.Parent)
    for (char *const *Path = Plan.Leftovers; *Path; ++Path)
      if (::unlink(*Path) != 0)
        ::rmdir(*Path);
  send(Plan.Status, Message);
  ::_exit(0);
}
