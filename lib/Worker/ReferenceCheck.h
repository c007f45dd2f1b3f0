//===- ReferenceCheck.h - whether a problem can be judged fairly ------------===//
#ifndef CUPEL_WORKER_REFERENCECHECK_H
#define CUPEL_WORKER_REFERENCECHECK_H

#include "Expectation.h"

namespace cupel::worker {

/// The reply of `check_reference`: does the reference run, give the same twice, read all that it is
/// given, and would the usual wrong outputs be refused?
Json checkReference(const Reference &Reference, const CasePlan &Plan, uint64_t Seed,
                    const Tolerance &Tolerance, Device &Device);

} // namespace cupel::worker

#endif // CUPEL_WORKER_REFERENCECHECK_H
