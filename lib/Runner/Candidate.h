//===- Candidate.h - the process that runs the submission --------------------===//
#ifndef CUPEL_LIB_RUNNER_CANDIDATE_H
#define CUPEL_LIB_RUNNER_CANDIDATE_H

#include "CandidateSandbox.h"
#include "Judge.h"
#include "Messages.h"
#include "WorkerProcess.h"
#include <variant>

namespace cupel {

/// What a candidate did: the answer, or why there is none.
template <typename T> using CandidateResult = std::variant<T, Reason>;

/// The candidate's commands. Until it has said hello nothing of the submission is in the process,
/// so a failure until then is an Error; all others are Reasons.
class Candidate {
public:
  /// Starts the process and sends `hello`.
  static llvm::Expected<std::unique_ptr<Candidate>>
  start(const WorkerOptions &Options, std::shared_ptr<const ExchangeMemory> Exchange);

  /// The layers of isolation that the process runs in.
  const IsolationReport &isolation() const { return Isolation; }

  /// Sends `load` without waiting.
  void sendLoad(std::string NewLibrary, std::string NewEntry);
  /// Waits for the answers to `hello` and, after sendLoad, to `load`. A Reason says why the library
  /// cannot be used.
  llvm::Expected<std::optional<Reason>> awaitReady(double StartSeconds, double LoadSeconds);

  /// What every call is told. \c Receive: where the outputs go, from the judge, or null.
  struct CallRequest {
    llvm::json::Value Case = nullptr;
    std::vector<std::string> Arguments;
    std::string Seed;
    llvm::json::Value Receive = nullptr;
  };
  CandidateResult<CallReply> call(const CallRequest &Request, double Seconds);
  CandidateResult<TimeReply> time(const CallRequest &Request, const BlockRequest &Block,
                                  double Seconds);
  CandidateResult<ProfileData> profile(const CallRequest &Request, llvm::StringRef Level,
                                       double Seconds);

  /// False once a failure broke the process; another has to be started then.
  bool usable() const { return Process != nullptr; }

  /// Lets the process end. A Reason when it wrote what nobody asked for. How it ends does not
  /// matter: static destructors that run after CUDA's own fail in honest submissions too.
  std::optional<Reason> close();

private:
  Candidate(const WorkerOptions &Options, std::shared_ptr<const ExchangeMemory> Exchange)
      : Options(Options), Exchange(std::move(Exchange)) {}
  llvm::Error launch();
  llvm::Error relaunchInOurRoot(llvm::StringRef Why);
  std::optional<Reason> failureOf(const Answer &A, llvm::StringRef During);
  template <typename T>
  CandidateResult<T> askFor(llvm::StringRef Command, llvm::json::Object Fields, double Seconds,
                            llvm::StringRef During);

  WorkerOptions Options;
  std::shared_ptr<const ExchangeMemory> Exchange;
  std::optional<CandidateSandbox> Sandbox; ///< Outlives the process.
  std::unique_ptr<WorkerProcess> Process;
  IsolationReport Isolation;
  std::string Library, Entry; ///< Of the last sendLoad.
  bool SaidHello = false, LoadSent = false;
};

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_CANDIDATE_H
