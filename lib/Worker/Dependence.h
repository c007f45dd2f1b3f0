//===- Dependence.h - what the outputs of a reference depend on -------------===//
#ifndef CUPEL_WORKER_DEPENDENCE_H
#define CUPEL_WORKER_DEPENDENCE_H

#include "Expectation.h"

namespace cupel::worker {

/// Runs \p Reference with other values of each input and parameter. Adds the names whose values
/// matter (`depends`), change no output by more than \p Tolerance allows (`negligible`) or change
/// nothing (`independent`), and the numbers of the outputs that nothing changes by more than is
/// allowed (`fixed_outputs`).
void addDependence(Json &Reply, const Reference &Reference, const CasePlan &Plan, uint64_t Seed,
                   const Expectation &Right, const Tolerance &Tolerance, Device &Device);

} // namespace cupel::worker

#endif // CUPEL_WORKER_DEPENDENCE_H
