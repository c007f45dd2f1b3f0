//===- Dependence.cpp - what the outputs of a reference depend on -----------===//

#include "Dependence.h"
#include "Draw.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <cmath>
#include <iterator>

using namespace cupel::worker;
using c10::ScalarType;

namespace {

/// How far the other values lie from a value, in multiples of |value| + 1, so that no value stays
/// as it is: upwards and downwards, since a maximum, a clamp or a threshold shows one side only,
/// and near and far.
double stepOf(uint64_t Attempt) {
  static constexpr double Sizes[] = {0.5, 0.05, 5, 0.005, 50, 500};
  return Sizes[Attempt / 2 % std::size(Sizes)] * (Attempt % 2 == 0 ? 1 : -1);
}

/// The same in whole numbers: next to the value first, which as an index may still be in range.
int64_t wholeStepOf(uint64_t Attempt) {
  static constexpr int64_t Sizes[] = {1, 2, 7, 100, 1000, 20000};
  return Sizes[Attempt / 2 % std::size(Sizes)] * (Attempt % 2 == 0 ? 1 : -1);
}

/// Other values of the same kind; where the seed changes nothing (constant, arange), values around
/// them, for each element another, lest what is the same for all cancels.
at::Tensor otherValues(const TensorPlan &Plan, const at::Tensor &Values, uint64_t Seed,
                       uint64_t Attempt) {
  at::Tensor Other = drawTensor(Plan, Seed, Values.device());
  if (!sameBits(Other, Values))
    return Other;
  if (Plan.DType == ScalarType::Bool)
    return Values.logical_not();
  if (isReal(Plan.DType)) {
    TensorPlan Uneven = Plan;
    Uneven.DType = ScalarType::Float;
    Uneven.Init = {{"kind", "uniform"}, {"low", 0.5}, {"high", 1.5}};
    at::Tensor Step = drawTensor(Uneven, Seed, Values.device()).mul_(stepOf(Attempt));
    return (Values + (Values.abs() + 1) * Step).to(Plan.DType);
  }
  // Integers may be indices: another order first, which keeps them in range.
  at::Tensor Reversed = Values.view(-1).flip(0).view(Values.sizes());
  if (!sameBits(Reversed, Values) && Attempt % 3 == 0)
    return Reversed;
  return Values + wholeStepOf(Attempt);
}

c10::IValue otherNumber(const ScalarPlan &Plan, uint64_t Attempt) {
  switch (Plan.Type) {
  case ScalarPlan::Kind::Float:
    return Plan.Value + (std::fabs(Plan.Value) + 1) * stepOf(Attempt);
  case ScalarPlan::Kind::Int: {
    int64_t Sum, Step = wholeStepOf(Attempt);
    return __builtin_add_overflow(Plan.Whole, Step, &Sum) ? Plan.Whole - Step : Sum;
  }
  case ScalarPlan::Kind::Bool:
    return Plan.Value == 0;
  }
  return {};
}

enum class Effect { None, Negligible, Matters };

class Dependence {
public:
  Dependence(const Reference &Reference, const CasePlan &Plan, uint64_t Seed,
             const Expectation &Right, const Tolerance &Allowed, Device &Device)
      : Ref(Reference), Plan(Plan), Seed(Seed), On(Device), Right(Right), Allowed(Allowed),
        Fixed(Right.Outputs.size(), true) {}

  Effect effectOf(const std::string &Name) {
    Effect Most = Effect::None;
    for (uint64_t Attempt = 0; Attempt < attempts() && Most != Effect::Matters; ++Attempt)
      Most = std::max(Most, effectOf({Name}, Attempt));
    return Most;
  }

  /// Numbers of the outputs that no other values, of one input or of all of them, made wrong.
  std::vector<size_t> fixedOutputs() {
    std::vector<std::string> All;
    for (const InputPlan &Input : Plan.Inputs)
      All.push_back(Input.Tensor.Name);
    for (const TensorPlan &Parameter : Plan.Parameters)
      All.push_back(Parameter.Name);
    auto Some = [&] { return std::find(Fixed.begin(), Fixed.end(), true) != Fixed.end(); };
    for (uint64_t Attempt = 0; Attempt < attempts() && Some(); ++Attempt)
      effectOf(All, Attempt);
    std::vector<size_t> Result;
    for (size_t I = 0; I < Fixed.size(); ++I)
      if (Fixed[I])
        Result.push_back(I);
    return Result;
  }

private:
  /// One draw may happen to give a sign, a maximum or a bool again, the more so the fewer elements
  /// there are. At benchmark size a run costs seconds, and chance is not what it is about.
  uint64_t attempts() const { return Plan.bytes() <= (int64_t(16) << 20) ? 12 : 2; }

  void replace(Inputs &Changed, const std::string &Name, uint64_t Attempt) const {
    for (const InputPlan &Input : Plan.Inputs)
      if (Input.IsScalar && Input.Tensor.Name == Name)
        return Changed.replace(Name, otherNumber(Input.Scalar, Attempt));
    uint64_t Number = 0;
    for (const TensorPlan *Tensor : Plan.tensors()) {
      ++Number;
      if (Tensor->Name == Name)
        Changed.replace(Name, otherValues(*Tensor, *Changed.tensor(Name),
                                          splitmix64(~Seed + (Attempt << 32) + Number), Attempt));
    }
  }

  /// A reference that refuses the values, as an index out of range, has read them.
  Effect effectOf(const std::vector<std::string> &Names, uint64_t Attempt) {
    Inputs Changed(Plan, Seed, On);
    for (const std::string &Name : Names)
      replace(Changed, Name, Attempt);
    std::vector<at::Tensor> Outputs;
    try {
      ExactArithmetic Exactly;
      Outputs = Ref.run(Changed);
    } catch (const WorkerError &E) {
      if (E.Code != "reference-failed")
        throw;
      Fixed.assign(Fixed.size(), false);
      return Effect::Matters;
    }
    Effect Most = Effect::None;
    for (size_t I = 0; I < Outputs.size(); ++I)
      Most = std::max(Most, effectOn(I, Outputs[I]));
    return Most;
  }

  Effect effectOn(size_t I, const at::Tensor &Output) {
    const Expected &Was = Right.Outputs[I];
    bool SameKind =
        Output.sizes() == Was.Own.sizes() && Output.scalar_type() == Was.Own.scalar_type();
    if (SameKind && at::equal(Output, Was.Own)) // Not bit by bit: -0 is 0.
      return Effect::None;
    // Not the verdict, which refuses equal values where the reference's differ by rounding.
    if (SameKind && compareValues(Was, Output, Allowed).Mismatches == 0)
      return Effect::Negligible;
    Fixed[I] = false;
    return Effect::Matters;
  }

  const Reference &Ref;
  const CasePlan &Plan;
  uint64_t Seed;
  Device &On;
  const Expectation &Right;
  const Tolerance &Allowed;
  std::vector<bool> Fixed;
};

} // namespace

void cupel::worker::addDependence(Json &Reply, const Reference &Reference, const CasePlan &Plan,
                                  uint64_t Seed, const Expectation &Right,
                                  const Tolerance &Tolerance, Device &Device) {
  Dependence Depends(Reference, Plan, Seed, Right, Tolerance, Device);
  static constexpr const char *Lists[] = {"independent", "negligible", "depends"};
  auto Add = [&](const std::string &Name) {
    Reply[Lists[static_cast<size_t>(Depends.effectOf(Name))]].push_back(Name);
  };
  for (const TensorPlan *Tensor : Plan.tensors())
    Add(Tensor->Name);
  for (const InputPlan &Input : Plan.Inputs)
    if (Input.IsScalar)
      Add(Input.Tensor.Name);
  Reply["fixed_outputs"] = Depends.fixedOutputs();
}
