//===- Evaluate.h - the pipeline from a submission to a verdict -------------===//
#ifndef CUPEL_DRIVER_EVALUATE_H
#define CUPEL_DRIVER_EVALUATE_H

#include "cupel/Driver/Commands.h"
#include "cupel/Report/EvalRecord.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cupel {

/// Runs the phases lint, build, run and profile, as far as each lets the next one begin, and judges
/// what they found. \p Progress is told what is under way: `lint`, `case ragged`.
///
/// Errors are about the inputs: a problem, submission or record that cannot be used. Whatever keeps
/// a phase from its work ends in the record, as a reason of `could_not_judge`.
llvm::Expected<EvalRecord> evaluate(const EvalOptions &Options,
                                    llvm::function_ref<void(llvm::StringRef)> Progress);

} // namespace cupel

#endif // CUPEL_DRIVER_EVALUATE_H
