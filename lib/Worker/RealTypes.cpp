//===- RealTypes.cpp - dtypes that a reference names by itself --------------===//

#include "RealTypes.h"
#include <ATen/record_function.h>
#include <algorithm>
#include <c10/core/DefaultDtype.h>

using namespace cupel::worker;
using c10::ScalarType;

DefaultDouble::DefaultDouble() : Before(c10::get_default_dtype_as_scalartype()) {
  c10::set_default_dtype(c10::scalarTypeToTypeMeta(ScalarType::Double));
}

DefaultDouble::~DefaultDouble() { c10::set_default_dtype(c10::scalarTypeToTypeMeta(Before)); }

namespace {

/// Observers are plain functions, so that what they find goes here.
thread_local std::vector<std::string> *Found = nullptr;
/// How many operators are under way: one calls others, and only what the source says is told.
thread_local int Depth = 0;

void lookAt(const c10::IValue &Value, const char *Operator) {
  std::optional<std::vector<at::Tensor>> Tensors = tensorsOf(Value);
  if (!Tensors)
    return;
  for (const at::Tensor &Tensor : *Tensors) {
    if (!Tensor.defined() || !isReal(Tensor.scalar_type()) ||
        Tensor.scalar_type() == ScalarType::Double)
      continue;
    std::string Text = std::string(Operator) + " gives " + dtypeName(Tensor.scalar_type());
    if (std::find(Found->begin(), Found->end(), Text) == Found->end())
      Found->push_back(Text);
  }
}

void afterOperator(const at::RecordFunction &Function, at::ObserverContext *) {
  if (--Depth == 0 && Found)
    for (const c10::IValue &Value : Function.outputs())
      lookAt(Value, Function.name());
}

} // namespace

std::vector<std::string> cupel::worker::namedRealTypes(const Reference &Reference,
                                                       const Inputs &Arguments) {
  std::vector<std::string> Names;
  ExactArithmetic Exactly;
  DefaultDouble Default;
  Inputs Doubles = Arguments.cast(ScalarType::Double);
  Found = &Names;
  Depth = 0;
  at::CallbackHandle Observer = at::addThreadLocalCallback(
      at::RecordFunctionCallback(
          [](const at::RecordFunction &) -> std::unique_ptr<at::ObserverContext> {
            ++Depth;
            return nullptr;
          },
          afterOperator)
          .needsOutputs(true)
          .scopes({at::RecordScope::FUNCTION}));
  try {
    Reference.run(Doubles);
  } catch (const WorkerError &) { // Why it does not run in fp64 is told by expectationOf.
  }
  at::removeCallback(Observer);
  Found = nullptr;
  return Names;
}
