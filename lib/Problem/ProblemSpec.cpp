//===- ProblemSpec.cpp - a problem's shapes worked out, and as JSON ---------===//

#include "cupel/Problem/ProblemSpec.h"
#include "cupel/Problem/DType.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

const CaseSpec *ProblemSpec::findCase(llvm::StringRef Name) const {
  auto Found = llvm::find_if(Cases, [&](const CaseSpec &Case) { return Case.Name == Name; });
  return Found == Cases.end() ? nullptr : &*Found;
}

const CaseSpec *ProblemSpec::benchmarkCase() const {
  auto Found = llvm::find_if(Cases, [](const CaseSpec &Case) { return Case.IsBenchmark; });
  return Found == Cases.end() ? nullptr : &*Found;
}

std::vector<int64_t> cupel::shapeOf(const TensorSpec &Tensor, const CaseSpec &Case) {
  std::vector<int64_t> Shape;
  for (const ShapeExpr &Dimension : Tensor.Shape)
    Shape.push_back(llvm::cantFail(Dimension.evaluate(Case.Sizes)));
  return Shape;
}

const InitSpec &cupel::initOf(const TensorSpec &Tensor, const CaseSpec &Case) {
  auto Found = Case.Init.find(Tensor.Name);
  return Found == Case.Init.end() ? Tensor.Init : Found->second;
}

static uint64_t bytesOf(const TensorSpec &Tensor, const CaseSpec &Case) {
  uint64_t Bytes = findDType(Tensor.DType)->Bytes;
  for (int64_t Dimension : shapeOf(Tensor, Case))
    Bytes *= Dimension;
  return Bytes;
}

uint64_t cupel::tensorBytes(const ProblemSpec &Problem, const CaseSpec &Case) {
  uint64_t Bytes = 0;
  for (const InputSpec &Input : Problem.Inputs)
    if (Input.Tensor)
      Bytes += bytesOf(*Input.Tensor, Case);
  for (const TensorSpec &Parameter : Problem.Parameters)
    Bytes += bytesOf(Parameter, Case);
  return Bytes;
}

static Value toJson(const InitSpec &Init) {
  Object Result{{"kind", Init.Kind}};
  for (const auto &[Name, Number] : Init.Arguments)
    Result[Name] = Number;
  if (!Init.Transforms.empty())
    Result["transform"] = Array(Init.Transforms);
  return Result;
}

static Value scalarToJson(const ScalarSpec &Scalar) {
  switch (Scalar.Type) {
  case ScalarSpec::Kind::Int:
    return Object{{"name", Scalar.Name}, {"scalar", "int"}, {"value", Scalar.Whole}};
  case ScalarSpec::Kind::Bool:
    return Object{{"name", Scalar.Name}, {"scalar", "bool"}, {"value", Scalar.Value != 0}};
  case ScalarSpec::Kind::Float:
    break;
  }
  return Object{{"name", Scalar.Name}, {"scalar", "float"}, {"value", Scalar.Value}};
}

static Value tensorToJson(const TensorSpec &Tensor, Array Shape, const InitSpec &Init) {
  return Object{{"name", Tensor.Name},
                {"dtype", Tensor.DType},
                {"shape", std::move(Shape)},
                {"init", toJson(Init)}};
}

/// \p Case null: the shapes as written.
static Value tensorToJson(const TensorSpec &Tensor, const CaseSpec *Case) {
  if (Case)
    return tensorToJson(Tensor, Array(shapeOf(Tensor, *Case)), initOf(Tensor, *Case));
  Array Shape;
  for (const ShapeExpr &Dimension : Tensor.Shape)
    Shape.push_back(Dimension.text());
  return tensorToJson(Tensor, std::move(Shape), Tensor.Init);
}

static Object tensorsToJson(const ProblemSpec &Problem, const CaseSpec *Case) {
  Array Inputs, Parameters;
  for (const InputSpec &Input : Problem.Inputs)
    Inputs.push_back(Input.Tensor ? tensorToJson(*Input.Tensor, Case)
                                  : scalarToJson(*Input.Scalar));
  for (const TensorSpec &Parameter : Problem.Parameters)
    Parameters.push_back(tensorToJson(Parameter, Case));
  return Object{{"inputs", std::move(Inputs)}, {"parameters", std::move(Parameters)}};
}

static Value caseToJson(const CaseSpec &Case) {
  Array Roles;
  if (Case.IsCheck)
    Roles.push_back("check");
  if (Case.IsBenchmark)
    Roles.push_back("benchmark");
  Object Sizes, Init;
  for (const auto &[Name, Size] : Case.Sizes)
    Sizes[Name] = Size;
  for (const auto &[Name, Override] : Case.Init)
    Init[Name] = toJson(Override);
  return Object{{"name", Case.Name},
                {"role", std::move(Roles)},
                {"sizes", std::move(Sizes)},
                {"init", std::move(Init)}};
}

static Value policyToJson(const PolicySpec &Policy) {
  return Object{{"preset", Policy.Preset},
                {"libraries", Array(Policy.Libraries)},
                {"operators", Array(Policy.Operators)},
                {"suppressed", Array(Policy.Suppressed)}};
}

static Value textOrNull(const std::optional<ShapeExpr> &Expression) {
  return Expression ? Value(Expression->text()) : Value(nullptr);
}

Value cupel::toJson(const ProblemSpec &Problem) {
  Object Result = tensorsToJson(Problem, nullptr);
  Result["id"] = Problem.Id;
  Result["file"] = Problem.File;
  Result["name"] = Problem.Name;
  Result["level"] = Problem.Level;
  Result["kernelbench_id"] = Problem.KernelBenchId;
  Result["tags"] = Array(Problem.Tags);
  Result["reference"] = Object{{"language", Problem.ReferenceLanguage},
                               {"source", Problem.ReferenceSource},
                               {"line", Problem.ReferencePlace.Line}};
  Array Cases;
  for (const CaseSpec &Case : Problem.Cases)
    Cases.push_back(caseToJson(Case));
  Result["cases"] = std::move(Cases);
  Result["entry"] =
      Object{{"name", Problem.EntryName}, {"arguments", Array(Problem.EntryArguments)}};
  Result["tolerance"] =
      Object{{"relative", Problem.Tolerance.Relative}, {"absolute", Problem.Tolerance.Absolute}};
  Result["policy"] = policyToJson(Problem.Policy);
  Result["cost"] =
      Object{{"flops", textOrNull(Problem.Flops)}, {"bytes", textOrNull(Problem.Bytes)}};
  return Result;
}

Value cupel::toJson(const ProblemSpec &Problem, const CaseSpec &Case) {
  Object Result = tensorsToJson(Problem, &Case);
  Result["name"] = Case.Name;
  return Result;
}
