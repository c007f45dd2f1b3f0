//===- Draw.cpp - the values of one tensor, from its `init` and a seed ------===//

#include "Draw.h"
#include <ATen/Context.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <cmath>
#include <limits>
#include <vector>

using namespace cupel::worker;
using c10::ScalarType;

uint64_t cupel::worker::splitmix64(uint64_t State) {
  uint64_t Z = State + 0x9E3779B97F4A7C15;
  Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9;
  Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EB;
  return Z ^ (Z >> 31);
}

namespace {

double smallestNormal(ScalarType Type) {
  switch (Type) {
  case ScalarType::Half:
    return std::numeric_limits<c10::Half>::min();
  case ScalarType::BFloat16:
    return std::numeric_limits<c10::BFloat16>::min();
  case ScalarType::Float:
    return std::numeric_limits<float>::min();
  default:
    return std::numeric_limits<double>::min();
  }
}

/// Draws one tensor; holds what its steps share.
class Drawing {
public:
  Drawing(const TensorPlan &Plan, uint64_t Seed, c10::Device Device)
      : Plan(Plan), Generator(at::globalContext().defaultGenerator(Device).clone()),
        // Half precision is rounded once, at the end, whatever the kind and the transforms compute.
        Options(c10::TensorOptions(Device).dtype(
            Plan.DType == ScalarType::Half || Plan.DType == ScalarType::BFloat16 ? ScalarType::Float
                                                                                 : Plan.DType)) {
    Generator.set_current_seed(Seed);
  }

  at::Tensor draw() {
    at::Tensor Values = values(field<std::string>(Plan.Init, "kind"));
    auto Transforms = field<Json>(Plan.Init, "transform", Json::array());
    if (Transforms.is_string())
      Transforms = Json::array({Transforms});
    for (const Json &Name : Transforms)
      Values = transformed(Values, Name.get<std::string>());
    return Values.to(Plan.DType).contiguous();
  }

private:
  [[noreturn]] void refuse(const std::string &Why) const {
    throw WorkerError("inputs", "bad-request", "the init of '" + Plan.Name + "': " + Why);
  }
  double argument(const char *Name) const { return field<double>(Plan.Init, Name); }
  double argument(const char *Name, double Default) const {
    return field<double>(Plan.Init, Name, Default);
  }
  at::Tensor empty() const { return at::empty(Plan.Shape, Options); }
  void requireReal(const std::string &Name) const {
    if (!isReal(Plan.DType))
      refuse("'" + Name + "' needs a real dtype");
  }

  double kaimingScale() const {
    double FanIn = 1;
    for (size_t I = 1; I < Plan.Shape.size(); ++I)
      FanIn *= static_cast<double>(Plan.Shape[I]);
    return argument("gain", 1) / std::sqrt(FanIn);
  }

  at::Tensor values(const std::string &Kind) {
    if (Kind == "integers")
      return empty().random_(static_cast<int64_t>(argument("low")),
                             static_cast<int64_t>(argument("high")), Generator);
    if (Kind == "bernoulli")
      return empty().bernoulli_(argument("p"), Generator);
    if (Kind == "constant")
      return at::full(Plan.Shape, argument("value"), Options);
    if (Kind == "sign")
      return empty().bernoulli_(argument("p", 0.5), Generator).mul_(2).sub_(1);
    if (Kind == "arange")
      return arange();
    if (Kind == "permutation")
      return at::randperm(Plan.elements(), Generator, Options.dtype(ScalarType::Long))
          .to(Options.dtype())
          .view(Plan.Shape);
    return realValues(Kind);
  }

  at::Tensor arange() {
    const double Step = argument("step", 1), Start = argument("start", 0);
    if (c10::isFloatingType(Plan.DType))
      return at::arange(Plan.elements(), Options).mul_(Step).add_(Start).view(Plan.Shape);
    // A small integer may not hold the count of elements by which its values are made.
    return at::arange(Plan.elements(), Options.dtype(ScalarType::Long))
        .mul_(static_cast<int64_t>(Step))
        .add_(static_cast<int64_t>(Start))
        .to(Options.dtype())
        .view(Plan.Shape);
  }

  at::Tensor realValues(const std::string &Kind) {
    requireReal(Kind);
    if (Kind == "uniform")
      return empty().uniform_(argument("low"), argument("high"), Generator);
    if (Kind == "normal")
      return empty().normal_(argument("mean"), argument("std"), Generator);
    if (Kind == "log_uniform")
      return empty()
          .uniform_(std::log(argument("low")), std::log(argument("high")), Generator)
          .exp_();
    if (Kind == "kaiming_uniform") {
      double Bound = kaimingScale();
      return empty().uniform_(-Bound, Bound, Generator);
    }
    if (Kind == "kaiming_normal")
      return empty().normal_(0, kaimingScale(), Generator);
    refuse("there is no kind '" + Kind + "'");
  }

  at::Tensor transformed(at::Tensor Values, const std::string &Name) {
    requireReal(Name);
    if (Name == "uneven")
      return uneven(Values);
    if (Name == "sparse")
      return sparse(Values);
    if (Name == "equal_rows")
      return equalRows(Values);
    if (Name == "special_values")
      return specialValues(Values);
    if (Name == "random_scale")
      return Values.mul_(at::empty({}, Options).uniform_(0, 1, Generator));
    if (Name == "softmax")
      return Values.softmax(-1);
    if (Values.dim() < 2)
      refuse("'" + Name + "' needs two dimensions");
    if (Name == "upper_triangular")
      return Values.triu_();
    if (Name == "lower_triangular")
      return Values.tril_();
    if (Name != "symmetric" && Name != "positive_definite")
      refuse("there is no transform '" + Name + "'");
    if (Values.size(-1) != Values.size(-2))
      refuse("'" + Name + "' needs the last two dimensions to be equal");
    if (Name == "symmetric")
      return Values.add(Values.transpose(-1, -2)).div_(2);
    return at::matmul(Values, Values.transpose(-1, -2))
        .div_(static_cast<double>(Values.size(-1)))
        .add_(at::eye(Values.size(-1), Options));
  }

  at::Tensor uneven(at::Tensor Values) {
    for (int64_t D = 0; D < Values.dim(); ++D) {
      std::vector<int64_t> Shape(static_cast<size_t>(Values.dim()), 1);
      Shape[static_cast<size_t>(D)] = Values.size(D);
      Values.mul_(
          at::empty(Shape, Options).uniform_(-std::log(2.0), std::log(2.0), Generator).exp_());
    }
    return Values;
  }

  at::Tensor sparse(const at::Tensor &Values) {
    if (Values.dim() < 1)
      refuse("'sparse' needs a dimension");
    return Values.masked_fill(empty().bernoulli_(7.0 / 8, Generator).to(at::kBool), 0);
  }

  at::Tensor equalRows(const at::Tensor &Values) const {
    if (Values.dim() < 1 || Values.size(0) < 2)
      refuse("'equal_rows' needs two or more rows");
    return Values.narrow(0, 0, 1).expand_as(Values).contiguous();
  }

  at::Tensor specialValues(const at::Tensor &Values) {
    const double Normal = smallestNormal(Plan.DType), Subnormal = Normal / 16;
    const std::vector<double> Table = {0.0,    -0.0,    1.0,       -1.0,      0.5,    -0.5,
                                       2.0,    -2.0,    0x1p10,    -0x1p10,   0x1p15, -0x1p15,
                                       Normal, -Normal, Subnormal, -Subnormal};
    const at::Tensor Special = at::tensor(Table, at::kDouble).to(Options);
    const at::Tensor Index = at::empty(Plan.Shape, Options.dtype(at::kLong))
                                 .random_(0, static_cast<int64_t>(Table.size()), Generator);
    const at::Tensor Chosen = empty().bernoulli_(0.25, Generator).to(at::kBool);
    return at::where(Chosen, Special.take(Index), Values);
  }

  const TensorPlan &Plan;
  at::Generator Generator;
  c10::TensorOptions Options;
};

} // namespace

at::Tensor cupel::worker::drawTensor(const TensorPlan &Plan, uint64_t Seed, c10::Device Device) {
  return Drawing(Plan, Seed, Device).draw();
}
