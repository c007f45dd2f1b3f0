//===- Reference.cpp - the problem's own computation ------------------------===//

#include "Reference.h"
#include "ScriptError.h"
#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <algorithm>
#include <cstdlib>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

using namespace cupel::worker;

struct Reference::State {
  torch::jit::Module Module{"reference"};
  std::vector<std::string> Parameters;
};

/// \p What is TorchScript's own text.
static WorkerError scriptError(const char *Stage, const char *Code, const std::string &What) {
  ScriptError Told = readScriptError(What);
  // The interpreter wraps every exception, so that its type no longer says what it was.
  bool Memory = Told.Text.find("DefaultCPUAllocator: ") != std::string::npos ||
                Told.Text.find("CUDA out of memory") != std::string::npos;
  constexpr std::string_view Tried = "you tried to allocate ";
  if (size_t At = Told.Text.find(Tried); Memory && At != std::string::npos)
    Told.Text = "the memory does not hold a tensor of " +
                bytesText(std::atoll(Told.Text.c_str() + At + Tried.size()));
  WorkerError Error(Stage, Memory ? "out-of-memory" : Code, Told.Text);
  Error.Line = Told.Line;
  Error.Column = Told.Column;
  return Error;
}

/// Torch's compiler asserts, and tells no place, for example where something follows an expression
/// that neither ends the statement nor assigns (torch/csrc/jit/frontend/parser.cpp, parseAssign).
static bool isAssertion(const std::string &What) {
  return What.find("INTERNAL ASSERT FAILED") != std::string::npos;
}

static WorkerError compilerError(const std::string &What, const std::string &Source) {
  if (!isAssertion(What))
    return scriptError("open_problem", "reference-error", What);
  WorkerError Error("open_problem", "reference-error", "TorchScript cannot compile this statement");
  // The first line with which the compiler comes so far.
  for (size_t End = Source.find('\n'), Begin = 0; Begin < Source.size() && Error.Line == 0;) {
    End = std::min(End, Source.size());
    try {
      torch::jit::Module("scratch").define(Source.substr(0, End) + "\n");
    } catch (const std::exception &E) {
      if (isAssertion(E.what())) {
        Error.Line = 1 + static_cast<int>(std::count(Source.begin(), Source.begin() + Begin, '\n'));
        Error.Column = 1 + static_cast<int>(Source.find_first_not_of(" \t", Begin) - Begin);
      }
    }
    Begin = End + 1;
    End = Source.find('\n', Begin);
  }
  return Error;
}

/// Whether \p Type is what a reference may return.
static bool isResult(const c10::TypePtr &Type) {
  if (Type->kind() == c10::TypeKind::TensorType)
    return true;
  auto Tuple = Type->cast<c10::TupleType>();
  return Tuple && !Tuple->elements().empty() &&
         std::all_of(Tuple->elements().begin(), Tuple->elements().end(), [](const auto &Element) {
           return Element->kind() == c10::TypeKind::TensorType;
         });
}

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
    // The parser wants a line end behind the last statement.
    Impl->Module.define(Source + "\n");
  } catch (const c10::Error &E) {
    throw compilerError(E.what_without_backtrace(), Source);
  } catch (const std::exception &E) {
    throw compilerError(E.what(), Source);
  }
  if (!Impl->Module.find_method("forward"))
    throw WorkerError("open_problem", "reference-error",
                      "the reference has no method 'forward(self, ...)'");
  if (c10::TypePtr Type = resultType(); !isResult(Type))
    throw WorkerError("open_problem", "reference-error",
                      "forward returns " + Type->annotation_str() +
                          "; a reference returns a tensor or a tuple of tensors");
}

Reference::~Reference() = default;

c10::TypePtr Reference::resultType() const {
  return Impl->Module.get_method("forward").function().getSchema().returns().at(0).type();
}

int Reference::outputCount() const {
  auto Tuple = resultType()->cast<c10::TupleType>();
  return Tuple ? static_cast<int>(Tuple->elements().size()) : 1;
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
  return run(Arguments.plan(), [&](const std::string &Name) { return Arguments.argument(Name); });
}

std::vector<at::Tensor>
Reference::run(const CasePlan &Plan,
               const std::function<c10::IValue(const std::string &)> &Argument) const {
  at::NoGradGuard NoGrad;
  for (const std::string &Name : Impl->Parameters)
    Impl->Module.setattr(Name, Argument(Name));
  std::vector<c10::IValue> Stack;
  for (const InputPlan &Input : Plan.Inputs)
    Stack.push_back(Argument(Input.Tensor.Name));

  c10::IValue Result;
  try {
    Result = Impl->Module.forward(std::move(Stack));
  } catch (const c10::OutOfMemoryError &E) {
    throw WorkerError("reference", "out-of-memory", E.what_without_backtrace());
  } catch (const c10::Error &E) {
    throw scriptError("reference", "reference-failed", E.what_without_backtrace());
  } catch (const std::exception &E) {
    throw scriptError("reference", "reference-failed", E.what());
  }
  // The module outlives the case; its tensors should not.
  for (const std::string &Name : Impl->Parameters)
    Impl->Module.setattr(Name, at::empty({0}));

  return std::move(*tensorsOf(Result)); // The constructor saw to it.
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
