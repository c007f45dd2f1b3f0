//===- CandidateSandbox.h - what a candidate's process may see and take -----===//
#ifndef CUPEL_LIB_RUNNER_CANDIDATESANDBOX_H
#define CUPEL_LIB_RUNNER_CANDIDATESANDBOX_H

#include "ExchangeMemory.h"
#include "cupel/Runner/WorkerPair.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Process.h"

namespace cupel {

/// Surroundings of one candidate: an own scratch folder as its working directory, home and place
/// for temporary files, an environment of chosen variables only (ours may hold secrets), limits,
/// and isolation from the rest of the machine (docs/isolation.md).
class CandidateSandbox {
public:
  /// \p Exchange may be null: then outputs can cross only in GPU memory.
  static llvm::Expected<CandidateSandbox> create(const WorkerOptions &Options,
                                                 const ExchangeMemory *Exchange);

  /// Puts a copy of \p Library where this candidate can read it, and nothing else of what was built
  /// before it; returns the copy's path. One that cannot be copied keeps its path, and the worker
  /// says what is wrong with it.
  std::string admit(llvm::StringRef Library) const;

  /// How to start `cupel-worker candidate`.
  const ProcessOptions &process() const { return Process; }

private:
  CandidateSandbox(TemporaryDirectory Folder, ProcessOptions Process)
      : Folder(std::move(Folder)), Process(std::move(Process)) {}

  TemporaryDirectory Folder; ///< Holds `scratch` and `library`.
  ProcessOptions Process;
};

/// How to start `cupel-worker judge`: our environment, the limits that protect the machine.
ProcessOptions judgeProcess(const WorkerOptions &Options, const ExchangeMemory *Exchange);

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_CANDIDATESANDBOX_H
