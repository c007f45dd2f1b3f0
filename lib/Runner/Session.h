//===- Session.h - one run: its request, its processes, its record -----------===//
#ifndef CUPEL_LIB_RUNNER_SESSION_H
#define CUPEL_LIB_RUNNER_SESSION_H

#include "Candidate.h"
#include "Judge.h"
#include "cupel/Runner/Runner.h"
#include <chrono>

namespace cupel {

/// Passed from step to step. The Errors of all functions are cupel's own failures; what the
/// candidate does ends in the record.
struct Session {
  Session(const RunRequest &Request);

  const RunRequest &Request;
  RunRecord Record;
  uint64_t Master = 0; ///< Seed from which all others come; never told to a candidate.
  std::vector<std::string> Arguments;
  std::chrono::steady_clock::time_point Start;
  std::shared_ptr<ExchangeMemory> Exchange;
  WorkerOptions Workers; ///< The request's, for candidates to come.
  std::unique_ptr<Judge> TheJudge;
  std::unique_ptr<Candidate> TheCandidate; ///< Null or not usable after it broke.
  unsigned Broken = 0;                     ///< Candidates that broke so far.
  unsigned BrokenJudges = 0;
  std::string TorchVersion;        ///< The judge's.
  std::string Uuid, Driver;        ///< Of the GPU.
  std::optional<double> CallLimit; ///< Seconds, instead of the request's limit of a call.

  bool emulates() const { return Request.Workers.Device == DeviceChoice::Emulated; }
  double elapsedSeconds() const;
  /// Of the run's limit; never below zero.
  double remainingSeconds() const;
  /// The limit of one call: the same however late in the run it comes, so that no candidate is
  /// blamed for time that others took. The run's own limit is looked at between cases and blocks.
  double callSeconds() const;
  /// What the judge and the profiler get: what is left of the run, and never less than a call.
  double commandSeconds() const;

  /// Makes sure of a judge that has read the problem.
  llvm::Error ensureJudge();
  /// Waits for the candidate that was told to load, and notes what isolates it.
  llvm::Expected<std::optional<Reason>> awaitCandidate();
  /// Makes sure of a candidate with the library loaded. A Reason: why the library cannot be used.
  llvm::Expected<std::optional<Reason>> ensureCandidate();

  Candidate::CallRequest callRequest(const CaseSpec &Case, std::string Seed) const;
  void progress(const llvm::Twine &What) const;
};

/// One call of the candidate, compared by the judge.
struct CheckedCall {
  std::optional<CompareReply> Compared; ///< Absent when there was nothing to compare.
  std::vector<Reason> Reasons;          ///< Why it failed; empty: it passed.
  std::vector<KernelNote> Notes;
};

/// What the answer \p Call of a call that \p Expected describes is worth.
llvm::Expected<CheckedCall> checkReply(Session &S, const ExpectReply &Expected,
                                       const CallReply &Call);

/// Calls and compares all selected cases: Record.Correctness.
llvm::Error checkCases(Session &S);

/// Looks the GPU's rates up in the cache, or has the judge measure them: Record.Peaks. That they
/// cannot be had is in the record, and no Error.
llvm::Error findPeaks(Session &S);

/// Times the benchmark case in interleaved blocks: Record.Timing.
llvm::Error timeBenchmark(Session &S, const CaseSpec &Case);

/// Whether a kernel of the submission ran under emulation, and the occupancy of those that did:
/// Record.EmulatedKernels.
llvm::Error judgeEmulatedKernels(Session &S);

/// Takes the profile of the benchmark case in a fresh process: Record.Profile.
llvm::Error profileBenchmark(Session &S, const CaseSpec &Case);

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_SESSION_H
