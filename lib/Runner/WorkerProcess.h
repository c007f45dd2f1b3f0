//===- WorkerProcess.h - requests and answers of one cupel-worker -----------===//
#ifndef CUPEL_LIB_RUNNER_WORKERPROCESS_H
#define CUPEL_LIB_RUNNER_WORKERPROCESS_H

#include "cupel/Runner/FailureReason.h"
#include "llvm/Support/JSON.h"
#include <deque>

namespace cupel {

/// What came of one request.
struct Answer {
  enum class Kind {
    Ok,     ///< Fields.
    Error,  ///< Error: the worker's own.
    Silent, ///< Nothing in time. The process still runs.
    Gone,   ///< The process ended or closed its pipe; end() tells why.
    Forged, ///< A line that is no answer to the request; Detail says why.
  };
  Kind What = Kind::Gone;
  llvm::json::Object Fields;
  WorkerError Error;
  std::string Detail;
  double WaitedSeconds = 0;
};

/// Speaks docs/protocol.md with one process. Requests can be sent ahead; answers come in their
/// order. The process is untrusted: whatever it writes is checked here.
class WorkerProcess {
public:
  /// Errors: as ChildProcess::start.
  static llvm::Expected<std::unique_ptr<WorkerProcess>> start(const ProcessOptions &Options);

  const IsolationReport &isolation() const { return Child->isolation(); }

  void send(llvm::StringRef Command, llvm::json::Object Fields = {});
  /// The answer to the oldest request that has none.
  Answer receive(double TimeoutSeconds);
  Answer ask(llvm::StringRef Command, llvm::json::Object Fields, double TimeoutSeconds);

  /// Sends `close` and takes what is still in the pipe. Gone when the process only ended, Forged
  /// when it wrote something that nobody asked for, Silent when it did not end.
  Answer close(double GraceSeconds);

  /// Says how the process ended, after a moment for its own end. Call it once.
  ProcessResult end();
  /// The same for one that is silent: it is killed at once.
  ProcessResult kill();

private:
  explicit WorkerProcess(std::unique_ptr<ChildProcess> Child) : Child(std::move(Child)) {}

  struct Pending {
    int64_t Id;
    std::string Nonce;
  };
  Answer check(llvm::StringRef Line, const Pending &Request);

  std::unique_ptr<ChildProcess> Child;
  std::deque<Pending> Requests;
  int64_t NextId = 1;
  bool DoesNotRead = false;
};

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_WORKERPROCESS_H
