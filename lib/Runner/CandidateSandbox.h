//===- CandidateSandbox.h - what a candidate's process may see and take -----===//
#ifndef CUPEL_LIB_RUNNER_CANDIDATESANDBOX_H
#define CUPEL_LIB_RUNNER_CANDIDATESANDBOX_H

#include "cupel/Runner/WorkerPair.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Process.h"

namespace cupel {

/// Surroundings of one candidate: an own scratch folder as its working directory, home and place
/// for temporary files, an environment of chosen variables only (ours may hold secrets), and
/// limits. The one place to confine candidates further.
class CandidateSandbox {
public:
  static llvm::Expected<CandidateSandbox> create(const WorkerOptions &Options);

  /// How to start `cupel-worker candidate`.
  const ProcessOptions &process() const { return Process; }

private:
  CandidateSandbox(TemporaryDirectory Scratch, ProcessOptions Process)
      : Scratch(std::move(Scratch)), Process(std::move(Process)) {}

  TemporaryDirectory Scratch;
  ProcessOptions Process;
};

/// How to start `cupel-worker judge`: our environment, the limits that protect the machine.
ProcessOptions judgeProcess(const WorkerOptions &Options);

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_CANDIDATESANDBOX_H
