//===- ReferenceError.h - a mistake in a problem's reference ----------------===//
#ifndef CUPEL_LIB_RUNNER_REFERENCEERROR_H
#define CUPEL_LIB_RUNNER_REFERENCEERROR_H

#include "cupel/Problem/ProblemSpec.h"
#include "cupel/Runner/FailureReason.h"

namespace cupel {

/// Whether the reference is to blame: it does not compile, or fails when it runs.
bool isReferenceError(const WorkerError &Error);

/// An Error at the line of the problem's file, which it quotes.
llvm::Error referenceError(const WorkerError &Error, const ProblemSpec &Problem);

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_REFERENCEERROR_H
