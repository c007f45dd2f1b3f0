//===- ReferenceCheck.cpp - whether a problem can be judged fairly ----------===//

#include "ReferenceCheck.h"
#include "Dependence.h"
#include "Mutations.h"
#include "RealTypes.h"
#include <ATen/ops/isfinite.h>

using namespace cupel::worker;

static bool sameOutputs(const std::vector<at::Tensor> &A, const std::vector<Expected> &B) {
  for (size_t I = 0; I < A.size(); ++I)
    if (A[I].sizes() != B[I].Own.sizes() || A[I].scalar_type() != B[I].Own.scalar_type() ||
        !sameBits(A[I], B[I].Own))
      return false;
  return true;
}

static void addOutputs(Json &Reply, const std::vector<Expected> &Outputs) {
  for (const Expected &Output : Outputs) {
    Reply["shapes"].push_back(Output.Own.sizes().vec());
    Reply["dtypes"].push_back(dtypeName(Output.Own.scalar_type()));
    Reply["not_finite"].push_back(
        Output.Finite ? 0 : at::isfinite(Output.Own).logical_not_().sum().item<int64_t>());
  }
}

/// Of the output whose error is the largest part of what is allowed.
static void addOwnError(Json &Reply, const std::vector<Expected> &Outputs,
                        const Tolerance &Tolerance) {
  double Worst = -1;
  bool Within = true;
  for (const Expected &Output : Outputs) {
    Comparison Own = compareValues(Output, Output.Own, Tolerance);
    Within = Within && Own.Mismatches == 0;
    double Ratio = Own.AllowedError > 0 ? Own.MaxError / Own.AllowedError : 0;
    if (Ratio <= Worst)
      continue;
    Worst = Ratio;
    Reply["max_error"] = number(Own.MaxError);
    Reply["allowed_error"] = number(Own.AllowedError);
  }
  Reply["within_tolerance"] = Within;
}

static bool runsEqually(const Reference &Reference, const Inputs &Arguments,
                        const Expectation &Right) {
  ExactArithmetic Exactly;
  return sameOutputs(Reference.run(Arguments), Right.Outputs);
}

Json cupel::worker::checkReference(const Reference &Reference, const CasePlan &Plan, uint64_t Seed,
                                   const Tolerance &Tolerance, Device &Device) {
  Json Reply = {{"within_tolerance", true}, {"repeat_equal", true}};
  for (const char *Name : {"shapes", "dtypes", "not_finite", "depends", "negligible", "independent",
                           "fixed_outputs", "named_dtypes", "mutations"})
    Reply[Name] = Json::array();
  Inputs Arguments(Plan, Seed, Device);
  Expectation Right = expectationOf(Reference, Arguments, Device);
  addOutputs(Reply, Right.Outputs);
  addPrecision(Reply, Right);
  Reply["inputs_changed"] = Arguments.changed();
  // What runs on values of its own making says nothing of the rest.
  if (!Reply["inputs_changed"].empty())
    return Reply;
  Reply["repeat_equal"] = runsEqually(Reference, Arguments, Right);
  if (Reply["repeat_equal"] == false)
    return Reply;
  // Dtypes do not depend on sizes, and at benchmark size a run in fp64 takes time and memory.
  constexpr int64_t Small = int64_t(64) << 20;
  if (Plan.bytes() <= Small)
    Reply["named_dtypes"] = namedRealTypes(Reference, Arguments);
  addOwnError(Reply, Right.Outputs, Tolerance);
  addDependence(Reply, Reference, Plan, Seed, Right, Tolerance, Device);
  Reply["mutations"] = offerMutations(Right, Arguments, Tolerance);
  return Reply;
}
