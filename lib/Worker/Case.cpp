//===- Case.cpp - one set of sizes, as the protocol carries it --------------===//

#include "Case.h"
#include <array>

using namespace cupel::worker;
using c10::ScalarType;

static constexpr std::array<std::pair<const char *, ScalarType>, 10> DTypes = {{
    {"float64", ScalarType::Double},
    {"float32", ScalarType::Float},
    {"float16", ScalarType::Half},
    {"bfloat16", ScalarType::BFloat16},
    {"int64", ScalarType::Long},
    {"int32", ScalarType::Int},
    {"int16", ScalarType::Short},
    {"int8", ScalarType::Char},
    {"uint8", ScalarType::Byte},
    {"bool", ScalarType::Bool},
}};

ScalarType cupel::worker::parseDType(const std::string &Name) {
  for (const auto &[Known, Type] : DTypes)
    if (Name == Known)
      return Type;
  throw WorkerError("request", "bad-request", "'" + Name + "' is no dtype of a problem");
}

std::string cupel::worker::dtypeName(ScalarType Type) {
  for (const auto &[Name, Known] : DTypes)
    if (Type == Known)
      return Name;
  return c10::toString(Type);
}

bool cupel::worker::isReal(ScalarType Type) { return c10::isFloatingType(Type); }

int64_t TensorPlan::elements() const {
  int64_t Count = 1;
  for (int64_t Size : Shape)
    if (Size < 0 || __builtin_mul_overflow(Count, Size, &Count))
      throw WorkerError("request", "bad-request", "'" + Name + "' has a size below 0 or too large");
  return Count;
}

int64_t TensorPlan::bytes() const {
  int64_t Bytes;
  if (__builtin_mul_overflow(elements(), static_cast<int64_t>(c10::elementSize(DType)), &Bytes))
    throw WorkerError("request", "bad-request", "'" + Name + "' is too large");
  return Bytes;
}

std::vector<const TensorPlan *> CasePlan::tensors() const {
  std::vector<const TensorPlan *> Result;
  for (const InputPlan &Input : Inputs)
    if (!Input.IsScalar)
      Result.push_back(&Input.Tensor);
  for (const TensorPlan &Parameter : Parameters)
    Result.push_back(&Parameter);
  return Result;
}

int64_t CasePlan::bytes() const {
  int64_t Sum = 0;
  for (const TensorPlan *Tensor : tensors())
    if (__builtin_add_overflow(Sum, Tensor->bytes(), &Sum))
      throw WorkerError("request", "bad-request", "the tensors of the case are too large");
  return Sum;
}

static TensorPlan parseTensor(const Json &Object) {
  TensorPlan Plan;
  Plan.Name = field<std::string>(Object, "name");
  Plan.DType = parseDType(field<std::string>(Object, "dtype"));
  Plan.Shape = field<std::vector<int64_t>>(Object, "shape");
  Plan.Init = field<Json>(Object, "init");
  if (!Plan.Init.is_object())
    throw WorkerError("request", "bad-request", "'init' of '" + Plan.Name + "' is no object");
  return Plan;
}

static ScalarPlan parseScalar(const Json &Object) {
  ScalarPlan Plan;
  std::string Type = field<std::string>(Object, "scalar");
  if (Type == "float")
    Plan.Type = ScalarPlan::Kind::Float;
  else if (Type == "int")
    Plan.Type = ScalarPlan::Kind::Int;
  else if (Type == "bool")
    Plan.Type = ScalarPlan::Kind::Bool;
  else
    throw WorkerError("request", "bad-request", "'" + Type + "' is no kind of number");
  if (Plan.Type == ScalarPlan::Kind::Int) {
    Plan.Whole = field<int64_t>(Object, "value");
    return Plan;
  }
  auto Value = field<Json>(Object, "value");
  Plan.Value = Value.is_boolean() ? (Value.get<bool>() ? 1 : 0) : field<double>(Object, "value");
  return Plan;
}

CasePlan cupel::worker::parseCase(const Json &Case) {
  CasePlan Plan;
  Plan.Name = field<std::string>(Case, "name", std::string());
  for (const Json &Object : field<Json>(Case, "inputs")) {
    InputPlan Input;
    Input.IsScalar = Object.contains("scalar");
    if (Input.IsScalar) {
      Input.Tensor.Name = field<std::string>(Object, "name");
      Input.Scalar = parseScalar(Object);
    } else {
      Input.Tensor = parseTensor(Object);
    }
    Plan.Inputs.push_back(std::move(Input));
  }
  for (const Json &Object : field<Json>(Case, "parameters", Json::array()))
    Plan.Parameters.push_back(parseTensor(Object));
  return Plan;
}
