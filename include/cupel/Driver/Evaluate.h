//===- Evaluate.h - the pipeline from a submission to a verdict -------------===//
#ifndef CUPEL_DRIVER_EVALUATE_H
#define CUPEL_DRIVER_EVALUATE_H

#include "cupel/Driver/Commands.h"
#include "cupel/Report/EvalRecord.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cupel {

/// Runs the phases lint, build, run and profile, as far as each lets the next one begin, and judges
/// what they found. \p Progress is told what is under way: `lint`, `case ragged`.
///
/// Errors are about the inputs: a problem, submission or record that cannot be used. Whatever keeps
/// a phase from its work ends in the record, as a reason of `could_not_judge`.
llvm::Expected<EvalRecord> evaluate(const EvalOptions &Options,
                                    llvm::function_ref<void(llvm::StringRef)> Progress);

/// The same for many: while one runs on the GPU, \p Jobs others are linted and built. Calls \p Done
/// with each's index in \p Options, on the caller's thread, as they end.
void evaluateAll(llvm::ArrayRef<EvalOptions> Options, unsigned Jobs,
                 llvm::function_ref<void(size_t, llvm::Expected<EvalRecord>)> Done);

} // namespace cupel

#endif // CUPEL_DRIVER_EVALUATE_H
