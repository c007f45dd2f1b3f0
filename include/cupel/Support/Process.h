//===- Process.h - children with limits --------------------------------------===//
//
// Compilers and untrusted submissions run as children. Each has a *keeper* between it and us: a
// forked process that adopts whatever the child leaves behind (PR_SET_CHILD_SUBREAPER) and kills
// all of it when the child ends, when a limit is reached, when we say so, or when we die. A child
// that forks twice, makes its own session or ignores SIGTERM does not outlive its run.
//
// What is not covered: a child of the same user can kill its keeper, or us. Then the child dies
// with the keeper, and we sweep what it leaves to us.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_SUPPORT_PROCESS_H
#define CUPEL_SUPPORT_PROCESS_H

#include "cupel/Support/Error.h"
#include "cupel/Support/Isolation.h"
#include <cstdint>
#include <memory>
#include <optional>

namespace cupel {

/// A descriptor that the child gets. Everything else is closed there.
struct PassedDescriptor {
  int Ours = -1;
  int Childs = -1; ///< Number in the child, 3 or more.
};

struct ProcessOptions {
  std::string Program;                ///< A path, or a name that is looked for in PATH.
  std::vector<std::string> Arguments; ///< Without the program's own name.
  /// `NAME=VALUE`; added to ours, or the whole environment when InheritEnvironment is false.
  std::vector<std::string> Environment;
  bool InheritEnvironment = true;
  std::string WorkingDirectory; ///< Empty: ours.
  std::string StdinText;        ///< Then the end of the file.
  std::vector<PassedDescriptor> Descriptors;
  /// What keeps the child from the rest of the machine; absent: nothing but the limits.
  std::optional<IsolationOptions> Isolation;
  /// Files and folders that we remove after the child, inner ones first. Should we be killed
  /// before, the keeper removes them, as far as they are files or empty folders.
  std::vector<std::string> Leftovers;

  // Limits; 0 means none.
  double TimeoutSeconds = 0; ///< Wall time.
  uint64_t CpuSeconds = 0;   ///< Of each process (RLIMIT_CPU).
  /// Resident memory of the child and all its descendants together, looked at four times a second
  /// and the child alone every 20 ms.
  uint64_t MemoryBytes = 0;
  /// RLIMIT_AS of each process. Not for programs that use CUDA, which reserve far more address
  /// space than they use.
  uint64_t AddressSpaceBytes = 0;
  /// The child and its descendants together, counted four times a second and whenever the machine
  /// suddenly has more tasks. In a user namespace of its own, and in a control group, the kernel
  /// bounds its processes and threads too, with room for those that CUDA and torch start; elsewhere
  /// RLIMIT_NPROC counts the whole user, and root is exempt from it.
  unsigned MaxProcesses = 0;
  uint64_t MaxFileBytes = 0;   ///< Of each file that is written (RLIMIT_FSIZE).
  uint64_t MaxOutputBytes = 0; ///< Of standard output and error together; more ends the child.
  /// What is kept of each of standard output and error: its beginning and its end.
  uint64_t KeptOutputBytes = 1 << 20;
};

enum class ExitKind {
  Exited,   ///< By itself, with Code.
  Signaled, ///< By Signal, which nobody here sent.
  TimedOut,
  OutputLimit,
  MemoryLimit,
  CpuLimit,
  ProcessLimit,
  Killed,     ///< By ChildProcess::kill.
  KeeperLost, ///< Somebody killed the keeper, and so the child: the child itself, or the kernel for
              ///< want of memory.
};
llvm::StringRef toString(ExitKind Kind);

struct ProcessResult {
  ExitKind Kind = ExitKind::Exited;
  int Code = 0;   ///< Exit status, when Exited.
  int Signal = 0; ///< When it died of a signal, also one that we sent.
  std::string Stdout, Stderr;
  /// The stream was longer than KeptOutputBytes; a line in the text says how much is left out.
  bool StdoutTruncated = false, StderrTruncated = false;
  double WallSeconds = 0, CpuSeconds = 0;
  uint64_t MaxRssBytes = 0; ///< Of the largest process.
  unsigned LeftBehind = 0;  ///< Descendants that had outlived the child and were killed.
  bool Unkillable =
      false; ///< Something did not die of SIGKILL, nor did others for 20 s (stuck in a driver).

  bool succeeded() const { return Kind == ExitKind::Exited && Code == 0; }
  /// `exited with status 3`, `was killed by SIGSEGV (segmentation fault)`, `ran longer than its
  /// limit of 30 s`: for a sentence that begins with the program's name.
  std::string describe() const;
  IsolationReport Isolation; ///< As ChildProcess::isolation.
  double TimeoutSeconds = 0; ///< The limits it ran under, for describe.
  uint64_t MemoryBytes = 0;
};

/// Runs a program to its end. Thread-safe. Errors are ours, never the program's end:
/// `program-missing` (names it), `program-not-executable`, `folder-missing`, `process-start`.
llvm::Expected<ProcessResult> runProcess(const ProcessOptions &Options);

/// A child that is talked to over two pipes: requests on its descriptor 3, replies on 4, a line
/// each. Its output is read by a thread all the while, so that a flood neither blocks it nor fills
/// our memory.
class ChildProcess {
public:
  /// Errors: as runProcess. The options' StdinText and Descriptors are heeded; 3 and 4 are taken.
  static llvm::Expected<std::unique_ptr<ChildProcess>> start(const ProcessOptions &Options);
  /// Kills whatever is left.
  ~ChildProcess();
  ChildProcess(const ChildProcess &) = delete;
  ChildProcess &operator=(const ChildProcess &) = delete;

  enum class Io {
    Done,
    TimedOut, ///< The child did not read or answer in time. It still runs.
    Ended,    ///< The child is gone or closed the pipe; wait() tells why.
    TooLong,  ///< The line is longer than allowed. Nothing more can be read.
  };

  /// Sends \p Line and a newline; \p Line holds none.
  Io writeLine(llvm::StringRef Line, double TimeoutSeconds);
  /// Receives one line without its newline.
  Io readLine(std::string &Line, double TimeoutSeconds, size_t MaxBytes = 64 << 20);

  /// Process id of the child, outside of its own namespace; 0 when it cannot be told.
  int pid() const;
  /// The layers of isolation that it runs in; empty when none were asked for.
  const IsolationReport &isolation() const;
  /// True until the child and all its descendants are gone.
  bool running() const;
  /// Ends the child and its descendants. wait() then says Killed, unless it had ended before.
  void kill();
  /// Closes the request pipe, waits up to \p GraceSeconds for the child's own end, then kills.
  /// Call it once; the result can be taken only once.
  ProcessResult wait(double GraceSeconds);

private:
  class Impl;
  friend llvm::Expected<ProcessResult> runProcess(const ProcessOptions &Options);
  explicit ChildProcess(std::unique_ptr<Impl> Self);
  std::unique_ptr<Impl> Self;
};

/// `SIGSEGV (segmentation fault)`; `signal 77` for one without a name.
std::string describeSignal(int Signal);

/// The program's path if \p Name is a path or in PATH, else nothing.
std::optional<std::string> findProgram(llvm::StringRef Name);

} // namespace cupel

#endif // CUPEL_SUPPORT_PROCESS_H
