//===- Expectation.h - what the reference says about one case ---------------===//
#ifndef CUPEL_WORKER_EXPECTATION_H
#define CUPEL_WORKER_EXPECTATION_H

#include "Compare.h"
#include "Reference.h"

namespace cupel::worker {

struct Expectation {
  std::vector<Expected> Outputs;
  std::string Precision;       ///< `float64`, or the dtype when fp64 could not be had.
  std::string PrecisionReason; ///< Why it is not `float64`.
};

/// Runs \p Reference on \p Arguments in their own dtypes and in fp64, with exact arithmetic.
/// Without room for fp64, or for a reference that does not run in it, the own dtype stands in.
/// Throws what Reference::run throws for the own dtype.
Expectation expectationOf(const Reference &Reference, const Inputs &Arguments, Device &Device);

/// `reference_precision` and `reference_precision_reason`.
void addPrecision(Json &Reply, const Expectation &Expectation);

} // namespace cupel::worker

#endif // CUPEL_WORKER_EXPECTATION_H
