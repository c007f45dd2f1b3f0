//===- EvalInputs.h - what an evaluation starts from ------------------------===//
#ifndef CUPEL_DRIVER_EVALINPUTS_H
#define CUPEL_DRIVER_EVALINPUTS_H

#include "cupel/Driver/Commands.h"
#include "cupel/Report/EvalRecord.h"

namespace cupel {

struct EvalInputs {
  ProblemSpec Problem;
  std::string Source; ///< Of the submission.
  EvalRecord Record;  ///< Empty but for names and hashes, or what `--from` gave.
};

/// Reads problem, submission and record and checks that they fit each other. Errors: those of
/// findProblem, readProblem, readTextFile and readEvalRecord; `unknown-case`, `submission-empty`,
/// `submission-kind`, `record-other-problem`, `record-other-submission`, `record-other-policy`.
llvm::Expected<EvalInputs> readEvalInputs(const EvalOptions &Options);

} // namespace cupel

#endif // CUPEL_DRIVER_EVALINPUTS_H
