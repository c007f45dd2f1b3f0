//===- RealTypes.h - dtypes that a reference names by itself ----------------===//
#ifndef CUPEL_WORKER_REALTYPES_H
#define CUPEL_WORKER_REALTYPES_H

#include "Reference.h"

namespace cupel::worker {

/// While one exists, tensors that a reference makes without saying a dtype are float64, as all
/// others are in the fp64 run: torch's default, float32, would round 0.1.
class DefaultDouble {
public:
  DefaultDouble();
  ~DefaultDouble();
  DefaultDouble(const DefaultDouble &) = delete;

private:
  c10::ScalarType Before;
};

/// Runs \p Reference in fp64 and tells each operator that gives another real dtype all the same,
/// as `aten::to gives float16`: what comes after it is no fp64 any more.
std::vector<std::string> namedRealTypes(const Reference &Reference, const Inputs &Arguments);

} // namespace cupel::worker

#endif // CUPEL_WORKER_REALTYPES_H
