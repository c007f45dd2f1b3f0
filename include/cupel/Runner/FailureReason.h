//===- FailureReason.h - what a failure of a worker process means -----------===//
//
// One table tells all failures apart: by signal, exit status, limit, CUDA error or silence. A
// failure of the candidate is a Reason, which is data; one of the judge is an Error, since without
// it nothing can be judged. docs/verdicts.md prints the table for people.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_RUNNER_FAILUREREASON_H
#define CUPEL_RUNNER_FAILUREREASON_H

#include "cupel/Support/Error.h"
#include "cupel/Support/Process.h"
#include "llvm/ADT/ArrayRef.h"

namespace cupel {

/// One line of the table.
struct FailureKind {
  llvm::StringRef Code;
  llvm::StringRef Meaning; ///< What happened: `the process was killed by SIGSEGV`.
  llvm::StringRef Advice;  ///< What to look at.
};

/// All codes that lib/Runner gives a candidate, except CUDA errors that the table does not know by
/// name (see cudaErrorCode).
llvm::ArrayRef<FailureKind> failureKinds();

/// What a worker answers with `"ok": false`.
struct WorkerError {
  std::string Stage, Code, Text;
  std::string CudaError;         ///< `cudaErrorIllegalAddress`, when Code is `cuda-error`.
  unsigned Line = 0, Column = 0; ///< In the reference's source, from 1; 0: unknown.
};

/// `cuda-illegal-address` for `cudaErrorIllegalAddress`; names that the table does not know are
/// spelled the same way.
std::string cudaErrorCode(llvm::StringRef CudaName);

/// A Reason of the table. Its text reads: \p Code's meaning, \p Detail, the advice.
/// \p During: `during the call`.
Reason failureReason(llvm::StringRef Code, llvm::StringRef During, llvm::StringRef Detail = "");

/// Why a candidate ended that should have answered.
Reason reasonForExit(const ProcessResult &Result, llvm::StringRef During);

/// What an error that the candidate's worker answered means. CUDA errors are the submission's, and
/// so is what its own call threw, returned or could not allocate. Everything else has the code
/// `worker-error`, which is nobody's fault that could be judged.
Reason reasonForWorkerError(const WorkerError &Error, llvm::StringRef During);

/// Whether \p Why says that the worker failed, and not the submission.
bool isWorkersOwn(const Reason &Why);

/// Whether the candidate's process can be used again after \p Error.
bool survives(const WorkerError &Error);

/// The same for the judge: an Error whose code is `judge-crashed`, `judge-memory`, ...
llvm::Error judgeExitError(const ProcessResult &Result, llvm::StringRef During);
llvm::Error judgeWorkerError(const WorkerError &Error, llvm::StringRef During);

} // namespace cupel

#endif // CUPEL_RUNNER_FAILUREREASON_H
