//===- ReferenceMemory.h - how much memory a reference needs ----------------===//
#ifndef CUPEL_WORKER_REFERENCEMEMORY_H
#define CUPEL_WORKER_REFERENCEMEMORY_H

#include "Reference.h"

namespace cupel::worker {

/// The reply of `estimate_memory`: runs \p Reference on torch's meta device, where operators work
/// out shapes and nothing else, and counts what tensors would hold. Needs neither memory nor time,
/// whatever the size.
Json estimateMemory(const Reference &Reference, const CasePlan &Plan);

} // namespace cupel::worker

#endif // CUPEL_WORKER_REFERENCEMEMORY_H
