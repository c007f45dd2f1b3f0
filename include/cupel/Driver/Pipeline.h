//===- Pipeline.h - the work before the GPU beside the work on it ------------===//
#ifndef CUPEL_DRIVER_PIPELINE_H
#define CUPEL_DRIVER_PIPELINE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>

namespace cupel {

/// For each of \p Count items calls \p Prepare, on \p Jobs threads at once, and then \p Finish, on
/// the caller's thread and so one at a time, in the order in which they became ready. At most Jobs
/// + 1 items are prepared and not finished. The functions do not throw; each keeps its own results.
void runPipeline(size_t Count, unsigned Jobs, llvm::function_ref<void(size_t)> Prepare,
                 llvm::function_ref<void(size_t)> Finish);

} // namespace cupel

#endif // CUPEL_DRIVER_PIPELINE_H
