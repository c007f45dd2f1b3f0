//===- ReferenceMeasure.h - what a reference costs at some size -------------===//
#ifndef CUPEL_WORKER_REFERENCEMEASURE_H
#define CUPEL_WORKER_REFERENCEMEASURE_H

#include "Reference.h"
#include "Timing.h"

namespace cupel::worker {

/// The reply of `measure_reference`: a few times, the most memory that was in use, and whether the
/// outputs hold what can be compared. For utils/measure-problems.py, which has a minute for all
/// problems at benchmark size: neither fp64 nor a baseline's precision is asked for.
Json measureReference(const Reference &Reference, const CasePlan &Plan, uint64_t Seed,
                      const TimingPlan &Timing, Device &Device);

} // namespace cupel::worker

#endif // CUPEL_WORKER_REFERENCEMEASURE_H
