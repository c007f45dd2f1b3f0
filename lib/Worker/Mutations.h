//===- Mutations.h - outputs that are wrong on purpose ----------------------===//
#ifndef CUPEL_WORKER_MUTATIONS_H
#define CUPEL_WORKER_MUTATIONS_H

#include "Expectation.h"

namespace cupel::worker {

/// Offers each output of \p Right alone in each way of getting it wrong (docs/problems.md): an
/// array of {`name`, `output`, `state`: `refused`, `accepted`, `equal` or `not_applicable`,
/// `reason`}.
Json offerMutations(const Expectation &Right, const Inputs &Arguments, const Tolerance &Tolerance);

} // namespace cupel::worker

#endif // CUPEL_WORKER_MUTATIONS_H
