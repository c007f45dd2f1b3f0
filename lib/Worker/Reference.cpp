//===- Reference.cpp - the problem's own computation ------------------------===//

#include "Reference.h"
#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

using namespace cupel::worker;

struct Reference::State {
  torch::jit::Module Module{"reference"};
  std::vector<std::string> Parameters;
};

Reference::Reference(const std::string &Language, const std::string &Source,
                     const std::vector<std::string> &Parameters)
    : Impl(std::make_unique<State>()) {
  if (Language != "torchscript")
    throw WorkerError("open_problem", "unsupported-language",
                      "this worker runs references in 'torchscript', not in '" + Language + "'");
  // Without this, TorchScript fuses operators after a few runs, and is no longer what eager torch
  // computes, nor as fast or slow.
  torch::jit::setGraphExecutorOptimize(false);
  Impl->Parameters = Parameters;
  try {
    for (const std::string &Name : Parameters)
      Impl->Module.register_parameter(Name, at::empty({0}), /*is_buffer=*/false);
    Impl->Module.define(Source);
  } catch (const std::exception &E) {
    throw WorkerError("open_problem", "reference-error", E.what());
  }
  if (!Impl->Module.find_method("forward"))
    throw WorkerError("open_problem", "reference-error",
                      "the reference has no method 'forward(self, ...)'");
}

Reference::~Reference() = default;

int Reference::outputCount() const {
  auto Type = Impl->Module.get_method("forward").function().getSchema().returns().at(0).type();
  if (Type->kind() == c10::TypeKind::TensorType)
    return 1;
  if (auto Tuple = Type->cast<c10::TupleType>())
    return static_cast<int>(Tuple->elements().size());
  return -1;
}

std::optional<std::vector<at::Tensor>> cupel::worker::tensorsOf(const c10::IValue &Value) {
  if (Value.isTensor())
    return std::vector<at::Tensor>{Value.toTensor()};
  if (Value.isTensorList())
    return Value.toTensorVector();
  std::vector<at::Tensor> Result;
  if (Value.isTuple()) {
    for (const c10::IValue &Element : Value.toTupleRef().elements()) {
      if (!Element.isTensor())
        return std::nullopt;
      Result.push_back(Element.toTensor());
    }
    return Result;
  }
  return std::nullopt;
}

std::vector<at::Tensor> Reference::run(const Inputs &Arguments) const {
  at::NoGradGuard NoGrad;
  for (const std::string &Name : Impl->Parameters) {
    const at::Tensor *Value = Arguments.tensor(Name);
    if (!Value)
      throw WorkerError("request", "bad-request", "the case has no parameter '" + Name + "'");
    Impl->Module.setattr(Name, *Value);
  }
  std::vector<c10::IValue> Stack;
  for (const InputPlan &Input : Arguments.plan().Inputs)
    Stack.push_back(Arguments.argument(Input.Tensor.Name));

  c10::IValue Result;
  try {
    Result = Impl->Module.forward(std::move(Stack));
  } catch (const c10::OutOfMemoryError &E) {
    throw WorkerError("reference", "out-of-memory", E.what_without_backtrace());
  } catch (const c10::Error &E) {
    throw WorkerError("reference", "reference-failed", E.what_without_backtrace());
  } catch (const std::exception &E) {
    throw WorkerError("reference", "reference-failed", E.what());
  }
  // The module outlives the case; its tensors should not.
  for (const std::string &Name : Impl->Parameters)
    Impl->Module.setattr(Name, at::empty({0}));

  if (auto Outputs = tensorsOf(Result); Outputs && !Outputs->empty())
    return std::move(*Outputs);
  throw WorkerError("reference", "reference-failed",
                    "the reference returns " + Result.tagKind() +
                        "; a tensor or a tuple of tensors is expected");
}

ExactArithmetic::ExactArithmetic() : CudnnTF32(at::globalContext().allowTF32CuDNN()) {
  at::Context &Context = at::globalContext();
  Context.setAllowTF32CuDNN(false);
  Context.setAllowFP16ReductionCuBLAS(false);
  Context.setAllowBF16ReductionCuBLAS(false);
}

ExactArithmetic::~ExactArithmetic() {
  at::Context &Context = at::globalContext();
  Context.setAllowTF32CuDNN(CudnnTF32);
  Context.setAllowFP16ReductionCuBLAS(true);
  Context.setAllowBF16ReductionCuBLAS(true);
}
