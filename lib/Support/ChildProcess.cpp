//===- ChildProcess.cpp - a child, its keeper and the thread that listens ---===//

#include "BoundedText.h"
#include "ControlGroup.h"
#include "Descriptor.h"
#include "ProcessKeeper.h"
#include "ProcessWatch.h"
#include "cupel/Support/Process.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace cupel;
using llvm::StringRef;

/// The keeper gives up 60 s after SIGKILL; longer than that it is not waited for.
static constexpr double SecondsForKeeper = 65;
static constexpr double SecondsBetweenLooks = 0.02;
static constexpr int RequestInChild = 3, ReplyInChild = 4;

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static int toMilliseconds(double Seconds) {
  return int(std::clamp(Seconds * 1e3 + 0.999, 0.0, 3.6e6));
}

namespace {
struct Pipe {
  Descriptor Read, Write;
};
} // namespace

static llvm::Expected<Pipe> makePipe() {
  int Ends[2];
  if (::pipe2(Ends, O_CLOEXEC) != 0)
    return makeError("process-start", llvm::Twine("no pipe can be made: ") + std::strerror(errno));
  return Pipe{Descriptor(Ends[0]), Descriptor(Ends[1])};
}

static void makeNonBlocking(int Number) {
  ::fcntl(Number, F_SETFL, ::fcntl(Number, F_GETFL) | O_NONBLOCK);
}

//===----------------------------------------------------------------------===//
// The keepers of this process
//===----------------------------------------------------------------------===//

namespace {
struct KeeperList {
  std::mutex Mutex;
  std::vector<pid_t> Pids;
};
} // namespace

/// Never destroyed: threads may still use it while the process ends.
static KeeperList &keepers() {
  static auto *List = new KeeperList;
  return *List;
}

/// The caller holds the mutex.
static bool isKeeper(pid_t Pid) { return llvm::is_contained(keepers().Pids, Pid); }

/// Once: what a killed keeper leaves behind comes to us, and a pipe whose reader is gone is an
/// error of write instead of our death.
static void prepareThisProcess() {
  static const bool Done = [] {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    struct sigaction Ignore = {};
    Ignore.sa_handler = SIG_IGN;
    return ::sigaction(SIGPIPE, &Ignore, nullptr) == 0;
  }();
  (void)Done;
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

namespace {
/// Owns what a LaunchPlan points to.
struct Launch {
  std::string Program, WorkingDirectory;
  std::vector<std::string> Arguments, Environment;
  std::vector<std::string> Leftovers;
  std::vector<char *> ArgumentPointers, EnvironmentPointers, LeftoverPointers;
  std::optional<PreparedIsolation> Isolation;
  LaunchPlan Plan;
};
} // namespace

static std::vector<char *> pointers(std::vector<std::string> &Strings) {
  std::vector<char *> Pointers;
  for (std::string &S : Strings)
    Pointers.push_back(S.data());
  Pointers.push_back(nullptr);
  return Pointers;
}

static std::vector<std::string> environmentFor(const ProcessOptions &Options) {
  std::vector<std::string> Result;
  auto Set = [&](StringRef Variable) {
    StringRef Prefix = Variable.take_front(Variable.find('=') + 1);
    llvm::erase_if(Result, [&](StringRef Old) { return Old.starts_with(Prefix); });
    Result.push_back(Variable.str());
  };
  if (Options.InheritEnvironment)
    for (char **Variable = environ; *Variable; ++Variable)
      Result.push_back(*Variable);
  for (const std::string &Variable : Options.Environment)
    Set(Variable);
  return Result;
}

/// Tasks are threads too, of which CUDA and torch have a few for each core.
static unsigned maxTasks(const ProcessOptions &Options) {
  if (Options.MaxProcesses == 0)
    return 0;
  return Options.MaxProcesses + 256 + 16 * std::thread::hardware_concurrency();
}

static void addLimits(const ProcessOptions &Options, LaunchPlan &Plan) {
  auto Add = [&](int Resource, uint64_t Soft, uint64_t Hard) {
    Plan.Limits[Plan.LimitCount++] = {Resource, {rlim_t(Soft), rlim_t(Hard)}};
  };
  Add(RLIMIT_CORE, 0, 0);
  if (Options.AddressSpaceBytes != 0)
    Add(RLIMIT_AS, Options.AddressSpaceBytes, Options.AddressSpaceBytes);
  // A second after SIGXCPU, which can be caught, comes SIGKILL.
  if (Options.CpuSeconds != 0)
    Add(RLIMIT_CPU, Options.CpuSeconds, Options.CpuSeconds + 1);
  if (Options.MaxFileBytes != 0)
    Add(RLIMIT_FSIZE, Options.MaxFileBytes, Options.MaxFileBytes);
}

static llvm::Expected<std::unique_ptr<Launch>> planLaunch(const ProcessOptions &Options) {
  auto L = std::make_unique<Launch>();
  std::optional<std::string> Program = findProgram(Options.Program);
  if (!Program)
    return makeError(
        "program-missing",
        "no program '" + Options.Program + "' is found" +
            (StringRef(Options.Program).contains('/') ? "" : " in the folders of PATH"));
  L->Program = *Program;
  L->WorkingDirectory = Options.WorkingDirectory;
  L->Arguments.push_back(Options.Program);
  llvm::append_range(L->Arguments, Options.Arguments);
  L->Environment = environmentFor(Options);
  L->ArgumentPointers = pointers(L->Arguments);
  L->EnvironmentPointers = pointers(L->Environment);
  L->Plan.Program = L->Program.c_str();
  L->Plan.Arguments = L->ArgumentPointers.data();
  L->Plan.Environment = L->EnvironmentPointers.data();
  L->Plan.WorkingDirectory = L->WorkingDirectory.empty() ? nullptr : L->WorkingDirectory.c_str();
  L->Leftovers = Options.Leftovers;
  L->LeftoverPointers = pointers(L->Leftovers);
  L->Plan.Leftovers = L->LeftoverPointers.data();
  L->Plan.Parent = ::getpid();
  addLimits(Options, L->Plan);
  if (Options.Isolation)
    L->Isolation.emplace(*Options.Isolation, L->Program);
  L->Plan.Isolation = L->Isolation ? &L->Isolation->Plan : nullptr;
  return L;
}

static llvm::Error startError(const ProcessOptions &Options, const KeeperMessage &Message) {
  std::string Why = std::strerror(Message.Errno);
  switch (Message.Stage) {
  case KeeperMessage::ChangeDirectory:
    return makeError("folder-missing", "the folder '" + Options.WorkingDirectory + "' to run '" +
                                           Options.Program + "' in cannot be entered: " + Why);
  case KeeperMessage::Execute:
    return makeError("program-not-executable", "'" + Options.Program + "' cannot be run: " + Why);
  default:
    return makeError("process-start", "'" + Options.Program + "' cannot be started: " + Why);
  }
}

//===----------------------------------------------------------------------===//
// The child as the rest of cupel sees it
//===----------------------------------------------------------------------===//

class ChildProcess::Impl {
public:
  explicit Impl(const ProcessOptions &Options)
      : Options(Options), Out(Options.KeptOutputBytes), Err(Options.KeptOutputBytes) {}
  ~Impl();

  llvm::Error launch(bool Conversation);
  Io writeLine(StringRef Line, double Seconds);
  Io readLine(std::string &Line, double Seconds, size_t MaxBytes);
  void requestKill(ExitKind Why);
  bool ended() const {
    std::lock_guard<std::mutex> Guard(Mutex);
    return Gone;
  }
  bool waitForEnd(double Seconds);
  void closeRequests() { Requests.reset(); }
  ProcessResult takeResult();

  pid_t Child = -1;
  IsolationReport Isolation;

private:
  void listen();
  int millisecondsToNextLook(double Now) const;
  void applyLimits(double Now);
  void feedStdin();
  bool drain(Descriptor &From, BoundedText &Into);
  void finish(bool Unkillable);

  const ProcessOptions Options;
  pid_t Keeper = -1;
  Descriptor Stdin, Stdout, Stderr, Status, Control, Wake, GoneEvent;
  Descriptor Requests, Replies;
  std::string Pending; ///< Read from Replies, not yet taken.
  size_t PendingSearched = 0;

  std::thread Listener;
  double Begin = 0, KilledAt = 0;
  size_t StdinWritten = 0;
  std::optional<ProcessWatch> Watch;
  std::optional<ControlGroup> Group;
  std::optional<KeeperMessage> Last;

  mutable std::mutex Mutex; ///< Guards what follows.
  std::condition_variable GoneCondition;
  bool Gone = false;
  std::optional<ExitKind> KillReason;
  BoundedText Out, Err;
  ProcessResult Result;
};

llvm::Error ChildProcess::Impl::launch(bool Conversation) {
  prepareThisProcess();
  auto Plan = planLaunch(Options);
  if (!Plan)
    return Plan.takeError();
  LaunchPlan &P = (*Plan)->Plan;

  Pipe Pipes[7]; // stdin, stdout, stderr, control, status, requests, replies
  for (Pipe &New : Pipes) {
    llvm::Expected<Pipe> Made = makePipe();
    if (!Made)
      return Made.takeError();
    New = std::move(*Made);
  }
  auto &[In, OutPipe, ErrPipe, ControlPipe, StatusPipe, RequestPipe, ReplyPipe] = Pipes;
  auto Move = [&](int Ours, int Childs) { P.Moves[P.MoveCount++] = {Ours, Childs}; };
  Move(In.Read, 0);
  Move(OutPipe.Write, 1);
  Move(ErrPipe.Write, 2);
  if (Conversation) {
    Move(RequestPipe.Read, RequestInChild);
    Move(ReplyPipe.Write, ReplyInChild);
  }
  assert(Options.Descriptors.size() + P.MoveCount <= LaunchPlan::MaxMoves);
  for (const PassedDescriptor &Passed : Options.Descriptors)
    Move(Passed.Ours, Passed.Childs);
  const unsigned MaxTasks = maxTasks(Options);
  if (P.Isolation)
    (*Plan)->Isolation->Plan.MaxTasks = MaxTasks;
  if (P.Isolation && P.Isolation->wants(IsolationLayer::Memory)) {
    Group.emplace(Options.MemoryBytes, MaxTasks);
    P.Group = Group->processes();
    (*Plan)->Isolation->Plan.GroupErrno = Group->errorNumber();
  }
  P.Control = ControlPipe.Read;
  P.Status = StatusPipe.Write;

  {
    // Under the lock, so that no sweep sees the keeper before it is in the list.
    std::lock_guard<std::mutex> Guard(keepers().Mutex);
    Keeper = ::fork();
    if (Keeper == 0)
      keepChild(P);
    if (Keeper > 0)
      keepers().Pids.push_back(Keeper);
  }
  if (Keeper < 0)
    return makeError("process-start",
                     "'" + Options.Program + "' cannot be started: " + std::strerror(errno));
  Begin = now();
  StatusPipe.Write.reset();
  KeeperMessage Message{KeeperMessage::StartFailed};
  Message.Errno = EIO;
  ssize_t Got;
  do
    Got = ::read(StatusPipe.Read, &Message, sizeof(Message));
  while (Got < 0 && errno == EINTR);
  if (Message.Kind != KeeperMessage::Started) {
    std::lock_guard<std::mutex> Guard(keepers().Mutex);
    ControlPipe.Write.reset();
    ::waitpid(Keeper, nullptr, 0);
    llvm::erase(keepers().Pids, Keeper);
    Keeper = -1;
    return startError(Options, Message);
  }
  Child = Message.Pid;
  if (P.Isolation)
    Isolation = reportOf(*P.Isolation, Message.Layers);

  Stdin = std::move(In.Write);
  Stdout = std::move(OutPipe.Read);
  Stderr = std::move(ErrPipe.Read);
  Status = std::move(StatusPipe.Read);
  Control = std::move(ControlPipe.Write);
  if (Conversation) {
    Requests = std::move(RequestPipe.Write);
    Replies = std::move(ReplyPipe.Read);
    makeNonBlocking(Requests);
    makeNonBlocking(Replies);
  }
  for (int Ours : {int(Stdin), int(Stdout), int(Stderr)})
    makeNonBlocking(Ours);
  if (Options.StdinText.empty())
    Stdin.reset();
  Wake = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  GoneEvent = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  Watch.emplace(Options, Keeper, Child);
  Listener = std::thread([this] { listen(); });
  return llvm::Error::success();
}

ChildProcess::Impl::~Impl() {
  if (!Listener.joinable())
    return;
  requestKill(ExitKind::Killed);
  Listener.join();
}

//===----------------------------------------------------------------------===//
// The listening thread
//===----------------------------------------------------------------------===//

int ChildProcess::Impl::millisecondsToNextLook(double Now) const {
  double Next = 3600;
  if (KilledAt != 0)
    Next = KilledAt + SecondsForKeeper - Now;
  else if (Options.TimeoutSeconds > 0)
    Next = Begin + Options.TimeoutSeconds - Now;
  if (KilledAt == 0 && Watch->needed())
    Next = std::min(Next, SecondsBetweenLooks);
  return toMilliseconds(std::max(Next, 0.0));
}

void ChildProcess::Impl::applyLimits(double Now) {
  if (KilledAt != 0)
    return;
  if (Options.TimeoutSeconds > 0 && Now >= Begin + Options.TimeoutSeconds)
    return requestKill(ExitKind::TimedOut);
  if (Options.MaxOutputBytes != 0 && Out.total() + Err.total() > Options.MaxOutputBytes)
    return requestKill(ExitKind::OutputLimit);
  if (std::optional<ExitKind> Exceeded = Watch->check(Now))
    requestKill(*Exceeded);
}

void ChildProcess::Impl::feedStdin() {
  StringRef Rest = StringRef(Options.StdinText).drop_front(StdinWritten);
  ssize_t Put = ::write(Stdin, Rest.data(), Rest.size());
  if (Put > 0)
    StdinWritten += size_t(Put);
  if ((Put < 0 && errno != EAGAIN && errno != EINTR) || StdinWritten == Options.StdinText.size())
    Stdin.reset();
}

/// Reads what is there, at most 1 MiB so that limits are looked at in a flood too. False when
/// nothing is there now.
bool ChildProcess::Impl::drain(Descriptor &From, BoundedText &Into) {
  char Buffer[1 << 16];
  for (int Round = 0; Round != 16 && From >= 0; ++Round) {
    ssize_t Got = ::read(From, Buffer, sizeof(Buffer));
    if (Got > 0) {
      Into.append(StringRef(Buffer, size_t(Got)));
    } else if (Got == 0 || (errno != EAGAIN && errno != EINTR)) {
      From.reset();
    } else if (errno == EAGAIN) {
      return false;
    }
  }
  return From >= 0;
}

void ChildProcess::Impl::listen() {
  bool KeeperTold = false, GaveUp = false;
  while (!KeeperTold && !GaveUp) {
    // poll leaves out negative descriptors.
    pollfd Polled[] = {{Stdout, POLLIN, 0},
                       {Stderr, POLLIN, 0},
                       {Status, POLLIN, 0},
                       {Wake, POLLIN, 0},
                       {Stdin, POLLOUT, 0}};
    ::poll(Polled, 5, millisecondsToNextLook(now()));
    if (Polled[0].revents)
      drain(Stdout, Out);
    if (Polled[1].revents)
      drain(Stderr, Err);
    if (Polled[4].revents)
      feedStdin();
    if (Polled[2].revents) {
      KeeperMessage Message{KeeperMessage::StartFailed};
      if (::read(Status, &Message, sizeof(Message)) == ssize_t(sizeof(Message)))
        Last = Message;
      KeeperTold = true; // Or somebody killed it, and Last is empty.
    }
    double Now = now();
    applyLimits(Now);
    std::lock_guard<std::mutex> Guard(Mutex);
    if (KillReason && KilledAt == 0) {
      KilledAt = Now;
      uint64_t Ignored;
      (void)!::read(Wake, &Ignored, sizeof(Ignored));
      Control.reset(); // Tells the keeper.
    }
    GaveUp = KilledAt != 0 && Now > KilledAt + SecondsForKeeper;
  }
  // All writers are dead, so this ends, unless one could not be killed and still floods.
  for (int Round = 0; Round != 64 && drain(Stdout, Out); ++Round) {
  }
  for (int Round = 0; Round != 64 && drain(Stderr, Err); ++Round) {
  }
  finish(GaveUp);
}

static ExitKind kindOf(const KeeperMessage &Message, const ProcessOptions &Options,
                       std::optional<ExitKind> KillReason) {
  if (!Message.ByItself && KillReason)
    return *KillReason;
  if (WIFEXITED(Message.WaitStatus))
    return ExitKind::Exited;
  // SIGXCPU is sent at the limit; who catches it gets SIGKILL a second later.
  int Signal = WTERMSIG(Message.WaitStatus);
  bool UsedUp = Message.CpuMicroseconds >= int64_t(Options.CpuSeconds) * 1'000'000;
  if (Options.CpuSeconds != 0 && (Signal == SIGXCPU || (Signal == SIGKILL && UsedUp)))
    return ExitKind::CpuLimit;
  return ExitKind::Signaled;
}

void ChildProcess::Impl::finish(bool Unkillable) {
  bool Swept = true;
  {
    std::lock_guard<std::mutex> Guard(keepers().Mutex);
    ::waitpid(Keeper, nullptr, Unkillable ? WNOHANG : 0);
    llvm::erase(keepers().Pids, Keeper);
    if (!Last || Last->Unkillable)
      Swept = sweepOrphans(/*Seconds=*/5, isKeeper);
  }
  std::lock_guard<std::mutex> Guard(Mutex);
  Result.WallSeconds = now() - Begin;
  Result.TimeoutSeconds = Options.TimeoutSeconds;
  Result.MemoryBytes = Options.MemoryBytes;
  Result.Unkillable = Unkillable || !Swept;
  if (Last) {
    Result.Kind = kindOf(*Last, Options, KillReason);
    if (Result.Kind == ExitKind::Signaled && Group && Group->ranOutOfMemory())
      Result.Kind = ExitKind::MemoryLimit;
    if (WIFEXITED(Last->WaitStatus))
      Result.Code = WEXITSTATUS(Last->WaitStatus);
    else if (WIFSIGNALED(Last->WaitStatus))
      Result.Signal = WTERMSIG(Last->WaitStatus);
    Result.CpuSeconds = double(Last->CpuMicroseconds) * 1e-6;
    Result.MaxRssBytes = uint64_t(Last->MaxRssBytes);
    Result.LeftBehind = unsigned(Last->LeftBehind);
  } else {
    Result.Kind = KillReason.value_or(ExitKind::KeeperLost);
    Result.Signal = SIGKILL;
  }
  Result.Isolation = Isolation;
  Result.Stdout = Out.text();
  Result.Stderr = Err.text();
  Result.StdoutTruncated = Out.truncated();
  Result.StderrTruncated = Err.truncated();
  Gone = true;
  uint64_t One = 1;
  (void)!::write(GoneEvent, &One, sizeof(One));
  GoneCondition.notify_all();
}

void ChildProcess::Impl::requestKill(ExitKind Why) {
  std::lock_guard<std::mutex> Guard(Mutex);
  if (!KillReason)
    KillReason = Why;
  uint64_t One = 1;
  (void)!::write(Wake, &One, sizeof(One));
}

bool ChildProcess::Impl::waitForEnd(double Seconds) {
  std::unique_lock<std::mutex> Lock(Mutex);
  return GoneCondition.wait_for(Lock, std::chrono::duration<double>(Seconds), [&] { return Gone; });
}

ProcessResult ChildProcess::Impl::takeResult() {
  std::unique_lock<std::mutex> Lock(Mutex);
  GoneCondition.wait(Lock, [&] { return Gone; });
  return std::move(Result);
}

//===----------------------------------------------------------------------===//
// The conversation
//===----------------------------------------------------------------------===//

ChildProcess::Io ChildProcess::Impl::writeLine(StringRef Line, double Seconds) {
  assert(!Line.contains('\n'));
  std::string Text = Line.str() + '\n';
  StringRef Rest = Text;
  const double End = now() + Seconds;
  while (!Rest.empty()) {
    ssize_t Put = ::write(Requests, Rest.data(), Rest.size());
    if (Put >= 0) {
      Rest = Rest.drop_front(size_t(Put));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR)
      return Io::Ended;
    pollfd Polled[] = {{Requests, POLLOUT, 0}, {GoneEvent, POLLIN, 0}};
    ::poll(Polled, 2, toMilliseconds(End - now()));
    if (Polled[1].revents)
      return Io::Ended;
    if (!Polled[0].revents && now() >= End)
      return Io::TimedOut;
  }
  return Io::Done;
}

ChildProcess::Io ChildProcess::Impl::readLine(std::string &Line, double Seconds, size_t MaxBytes) {
  const double End = now() + Seconds;
  char Buffer[1 << 16];
  while (true) {
    size_t Newline = Pending.find('\n', PendingSearched);
    PendingSearched = Pending.size();
    if (std::min(Newline, Pending.size()) > MaxBytes)
      return Io::TooLong;
    if (Newline != std::string::npos) {
      Line = Pending.substr(0, Newline);
      Pending.erase(0, Newline + 1);
      PendingSearched = 0;
      return Io::Done;
    }
    pollfd Polled[] = {{Replies, POLLIN, 0}, {GoneEvent, POLLIN, 0}};
    ::poll(Polled, 2, toMilliseconds(End - now()));
    ssize_t Got = ::read(Replies, Buffer, sizeof(Buffer));
    if (Got > 0)
      Pending.append(Buffer, size_t(Got));
    else if (Got == 0 || (errno != EAGAIN && errno != EINTR) || Polled[1].revents)
      return Io::Ended;
    else if (now() >= End)
      return Io::TimedOut;
  }
}

ChildProcess::ChildProcess(std::unique_ptr<Impl> Self) : Self(std::move(Self)) {}
ChildProcess::~ChildProcess() = default;

llvm::Expected<std::unique_ptr<ChildProcess>> ChildProcess::start(const ProcessOptions &Options) {
  auto Self = std::make_unique<Impl>(Options);
  if (llvm::Error Failed = Self->launch(/*Conversation=*/true))
    return Failed;
  return std::unique_ptr<ChildProcess>(new ChildProcess(std::move(Self)));
}

ChildProcess::Io ChildProcess::writeLine(StringRef Line, double TimeoutSeconds) {
  return Self->writeLine(Line, TimeoutSeconds);
}
ChildProcess::Io ChildProcess::readLine(std::string &Line, double TimeoutSeconds, size_t MaxBytes) {
  return Self->readLine(Line, TimeoutSeconds, MaxBytes);
}
int ChildProcess::pid() const { return Self->Child; }
const IsolationReport &ChildProcess::isolation() const { return Self->Isolation; }
bool ChildProcess::running() const { return !Self->ended(); }
void ChildProcess::kill() { Self->requestKill(ExitKind::Killed); }

ProcessResult ChildProcess::wait(double GraceSeconds) {
  Self->closeRequests();
  if (!Self->waitForEnd(GraceSeconds))
    kill();
  return Self->takeResult();
}

llvm::Expected<ProcessResult> cupel::runProcess(const ProcessOptions &Options) {
  ChildProcess::Impl Child(Options);
  if (llvm::Error Failed = Child.launch(/*Conversation=*/false))
    return Failed;
  return Child.takeResult();
}
