//===- Mutations.cpp - outputs that are wrong on purpose --------------------===//

#include "Mutations.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/zeros_like.h>

using namespace cupel::worker;
using c10::ScalarType;

namespace {

/// What a mutation makes of an output: nothing where it means nothing, and then why.
struct Mutated {
  std::vector<at::Tensor> Wrong;
  std::string Why;
};
using Mutation = std::function<Mutated(const at::Tensor &Right)>;

Mutated none(std::string Why) { return {{}, std::move(Why)}; }
Mutated one(at::Tensor Wrong) { return {{std::move(Wrong)}, ""}; }

/// Mutations that mix elements need two of them.
Mutation withSeveral(at::Tensor (*Mutate)(const at::Tensor &)) {
  return [Mutate](const at::Tensor &Right) {
    return Right.numel() < 2 ? none("the output has one element") : one(Mutate(Right));
  };
}

at::Tensor constant(const at::Tensor &Right) {
  return at::full_like(Right, Right.reshape(-1)[0].item());
}

at::Tensor permuted(const at::Tensor &Right) {
  return Right.reshape(-1).roll(1).view(Right.sizes());
}

at::Tensor firstHalf(const at::Tensor &Right) {
  at::Tensor Flat = Right.clone().view(-1);
  Flat.slice(0, Flat.numel() / 2).zero_();
  return Flat.view(Right.sizes());
}

/// What is computed for one sample and handed out for all.
Mutated firstSlice(const at::Tensor &Right) {
  if (Right.dim() == 0 || Right.size(0) == 1)
    return none("there is one slice only");
  return one(Right.slice(0, 0, 1).expand_as(Right).contiguous());
}

Mutated rowMean(const at::Tensor &Right) {
  if (!isReal(Right.scalar_type()))
    return none(dtypeName(Right.scalar_type()) + " is no real dtype");
  if (Right.dim() == 0 || Right.size(-1) == 1)
    return none("a row has one element");
  return one(Right.mean(-1, /*keepdim=*/true).expand_as(Right).contiguous());
}

Mutated roundedToHalf(const at::Tensor &Right) {
  ScalarType Type = Right.scalar_type();
  if (!isReal(Type))
    return none(dtypeName(Type) + " is no real dtype");
  if (Type != ScalarType::Float && Type != ScalarType::Double)
    return none(dtypeName(Type) + " has no more digits than half precision");
  at::Tensor Rounded = Right.to(ScalarType::Half).to(Type);
  if (at::isfinite(Rounded).ne(at::isfinite(Right)).any().item<bool>())
    return none("half precision does not hold its largest values");
  if (at::equal(Rounded, Right))
    return none("every value is one of half precision already");
  return one(Rounded);
}

/// Each input or parameter that an output of this shape and dtype could be mistaken for.
Mutated inputsLike(const at::Tensor &Right, const Inputs &Arguments) {
  Mutated Result{{}, "no input or parameter has the output's shape and dtype"};
  for (const TensorPlan *Plan : Arguments.plan().tensors()) {
    const at::Tensor *Input = Arguments.tensor(Plan->Name);
    if (Input->sizes() == Right.sizes() && Input->scalar_type() == Right.scalar_type())
      Result.Wrong.push_back(*Input);
  }
  return Result;
}

std::vector<std::pair<const char *, Mutation>> mutations(const Inputs &Arguments) {
  return {
      {"zeros", [](const at::Tensor &Right) { return one(at::zeros_like(Right)); }},
      {"constant", withSeveral(constant)},
      {"permuted", withSeveral(permuted)},
      {"half", roundedToHalf},
      {"first_half", withSeveral(firstHalf)},
      {"first_slice", firstSlice},
      {"row_mean", rowMean},
      {"input_copy", [&](const at::Tensor &Right) { return inputsLike(Right, Arguments); }},
  };
}

/// State and reason of one output with one mutation. Of several wrong outputs the one that passes
/// counts.
std::pair<const char *, std::string> offer(const Expected &Output, const Mutation &Mutate,
                                           const Tolerance &Tolerance) {
  Mutated Made = Mutate(Output.Own);
  std::pair<const char *, std::string> Result = {"not_applicable", Made.Why};
  for (const at::Tensor &Wrong : Made.Wrong) {
    if (at::equal(Wrong, Output.Own)) // Not bit by bit: -0 is 0.
      return {"equal", "it is the right output"};
    Comparison Compared = compareValues(Output, Wrong, Tolerance);
    if (Compared.Passed)
      return {"accepted", "every element is within what is allowed"};
    const auto &[Code, Text] = Compared.Reasons.front();
    Result = {"refused", Code + ": " + Text};
  }
  return Result;
}

} // namespace

Json cupel::worker::offerMutations(const Expectation &Right, const Inputs &Arguments,
                                   const Tolerance &Tolerance) {
  Json All = Json::array();
  for (const auto &[Name, Mutate] : mutations(Arguments))
    for (size_t I = 0; I < Right.Outputs.size(); ++I) {
      auto [State, Reason] = offer(Right.Outputs[I], Mutate, Tolerance);
      All.push_back({{"name", Name}, {"output", I}, {"state", State}, {"reason", Reason}});
    }
  return All;
}
