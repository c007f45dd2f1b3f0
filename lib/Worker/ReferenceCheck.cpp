//===- ReferenceCheck.cpp - whether a problem can be judged fairly ----------===//

#include "ReferenceCheck.h"
#include "Draw.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/zeros_like.h>

using namespace cupel::worker;
using c10::ScalarType;

namespace {

//===----------------------------------------------------------------------===//
// What the outputs depend on
//===----------------------------------------------------------------------===//

/// Other values of the same kind; where the seed changes nothing (constant, arange), values next to
/// them.
at::Tensor otherValues(const TensorPlan &Plan, const at::Tensor &Values, uint64_t Seed) {
  at::Tensor Other = drawTensor(Plan, splitmix64(~Seed), Values.device());
  if (!sameBits(Other, Values))
    return Other;
  if (Plan.DType == ScalarType::Bool)
    return Values.logical_not();
  if (isReal(Plan.DType))
    return Values * 1.5 + 0.5;
  // Integers may be indices: another order first, which keeps them in range.
  at::Tensor Reversed = Values.view(-1).flip(0).view(Values.sizes());
  return sameBits(Reversed, Values) ? Values + 1 : Reversed;
}

c10::IValue otherNumber(const ScalarPlan &Plan) {
  switch (Plan.Type) {
  case ScalarPlan::Kind::Float:
    return Plan.Value * 1.5 + 0.5;
  case ScalarPlan::Kind::Int:
    return static_cast<int64_t>(Plan.Value) + 1;
  case ScalarPlan::Kind::Bool:
    return Plan.Value == 0;
  }
  return {};
}

bool sameOutputs(const std::vector<at::Tensor> &A, const std::vector<Expected> &B) {
  if (A.size() != B.size())
    return false;
  for (size_t I = 0; I < A.size(); ++I)
    if (A[I].sizes() != B[I].Own.sizes() || A[I].scalar_type() != B[I].Own.scalar_type() ||
        !sameBits(A[I], B[I].Own))
      return false;
  return true;
}

class Dependence {
public:
  Dependence(const Reference &Reference, const CasePlan &Plan, uint64_t Seed, Device &Device,
             const std::vector<Expected> &Outputs)
      : Ref(Reference), Plan(Plan), Seed(Seed), On(Device), Outputs(Outputs) {}

  /// Whether the outputs change with the values of \p Name. A reference that refuses them, as an
  /// index out of range, has read them.
  bool on(const std::string &Name, const std::function<c10::IValue(const Inputs &)> &Other) const {
    Inputs Changed(Plan, Seed, On);
    Changed.replace(Name, Other(Changed));
    try {
      ExactArithmetic Exactly;
      return !sameOutputs(Ref.run(Changed), Outputs);
    } catch (const WorkerError &E) {
      if (E.Code != "reference-failed")
        throw;
      return true;
    }
  }

private:
  const Reference &Ref;
  const CasePlan &Plan;
  uint64_t Seed;
  Device &On;
  const std::vector<Expected> &Outputs;
};

void addDependence(Json &Reply, const Dependence &Depends, const CasePlan &Plan, uint64_t Seed) {
  Reply["depends"] = Reply["independent"] = Json::array();
  auto Add = [&](const std::string &Name, const std::function<c10::IValue(const Inputs &)> &Other) {
    Reply[Depends.on(Name, Other) ? "depends" : "independent"].push_back(Name);
  };
  for (const TensorPlan *Tensor : Plan.tensors())
    Add(Tensor->Name, [&, Tensor](const Inputs &Now) {
      return otherValues(*Tensor, *Now.tensor(Tensor->Name), Seed);
    });
  for (const InputPlan &Input : Plan.Inputs)
    if (Input.IsScalar)
      Add(Input.Tensor.Name, [&](const Inputs &) { return otherNumber(Input.Scalar); });
}

//===----------------------------------------------------------------------===//
// Wrong outputs
//===----------------------------------------------------------------------===//

/// One way of getting an output wrong; undefined where it means nothing or changes nothing.
using Mutation = std::function<at::Tensor(const at::Tensor &Right)>;

at::Tensor firstHalf(const at::Tensor &Right) {
  if (Right.numel() < 2)
    return {};
  at::Tensor Flat = Right.clone().view(-1);
  Flat.slice(0, Flat.numel() / 2).zero_();
  return Flat.view(Right.sizes());
}

/// What is computed for one sample and handed out for all.
at::Tensor firstSlice(const at::Tensor &Right) {
  if (Right.dim() == 0)
    return {};
  return Right.slice(0, 0, 1).expand_as(Right).contiguous();
}

at::Tensor rowMean(const at::Tensor &Right) {
  if (Right.dim() == 0 || !isReal(Right.scalar_type()))
    return {};
  return Right.mean(-1, /*keepdim=*/true).expand_as(Right).contiguous();
}

at::Tensor roundedToHalf(const at::Tensor &Right) {
  ScalarType Type = Right.scalar_type();
  if (Type != ScalarType::Float && Type != ScalarType::Double)
    return {};
  return Right.to(ScalarType::Half).to(Type);
}

/// The first input that an output of this shape and dtype could be mistaken for.
at::Tensor inputLike(const at::Tensor &Right, const Inputs &Arguments) {
  for (const TensorPlan *Plan : Arguments.plan().tensors()) {
    const at::Tensor *Input = Arguments.tensor(Plan->Name);
    if (Input->sizes() == Right.sizes() && Input->scalar_type() == Right.scalar_type())
      return Input->clone();
  }
  return {};
}

std::vector<std::pair<const char *, Mutation>> mutations(const Inputs &Arguments) {
  return {
      {"zeros", [](const at::Tensor &Right) { return at::zeros_like(Right); }},
      {"constant",
       [](const at::Tensor &Right) { return at::full_like(Right, Right.reshape(-1)[0].item()); }},
      {"permuted",
       [](const at::Tensor &Right) { return Right.reshape(-1).roll(1).view(Right.sizes()); }},
      {"half", roundedToHalf},
      {"first_half", firstHalf},
      {"first_slice", firstSlice},
      {"row_mean", rowMean},
      {"input_copy", [&](const at::Tensor &Right) { return inputLike(Right, Arguments); }},
  };
}

/// Mutates every output at once, as a submission that cheats would.
void addMutation(Json &Reply, const char *Name, const Mutation &Mutate,
                 const std::vector<Expected> &Outputs, const Tolerance &Tolerance) {
  bool Changed = false;
  std::string Refusal;
  for (const Expected &Output : Outputs) {
    at::Tensor Wrong = Mutate(Output.Own);
    if (!Wrong.defined() || sameBits(Wrong, Output.Own))
      continue;
    Changed = true;
    Comparison Result = compareValues(Output, Wrong, Tolerance);
    if (!Result.Passed && Refusal.empty())
      Refusal = Result.Reasons.front().first + ": " + Result.Reasons.front().second;
  }
  if (!Changed)
    return;
  Reply["mutations"].push_back(
      {{"name", Name},
       {"refused", !Refusal.empty()},
       {"reason", Refusal.empty() ? "every element is within what is allowed" : Refusal}});
}

//===----------------------------------------------------------------------===//
// The reference's own error
//===----------------------------------------------------------------------===//

void addOwnError(Json &Reply, const std::vector<Expected> &Outputs, const Tolerance &Tolerance) {
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

} // namespace

Json cupel::worker::checkReference(const Reference &Reference, const CasePlan &Plan, uint64_t Seed,
                                   const Tolerance &Tolerance, Device &Device) {
  Inputs Arguments(Plan, Seed, Device);
  Expectation Right = expectationOf(Reference, Arguments, Device);
  Json Reply = {{"shapes", Json::array()}, {"dtypes", Json::array()}, {"mutations", Json::array()}};
  bool Finite = true;
  for (const Expected &Output : Right.Outputs) {
    Reply["shapes"].push_back(Output.Own.sizes().vec());
    Reply["dtypes"].push_back(dtypeName(Output.Own.scalar_type()));
    Finite = Finite && Output.Finite;
  }
  Reply["finite"] = Finite;
  {
    ExactArithmetic Exactly;
    Reply["repeat_equal"] = sameOutputs(Reference.run(Arguments), Right.Outputs);
  }
  Reply["inputs_changed"] = Arguments.changed();
  addPrecision(Reply, Right);
  addOwnError(Reply, Right.Outputs, Tolerance);
  addDependence(Reply, Dependence(Reference, Plan, Seed, Device, Right.Outputs), Plan, Seed);
  for (const auto &[Name, Mutate] : mutations(Arguments))
    addMutation(Reply, Name, Mutate, Right.Outputs, Tolerance);
  return Reply;
}
