//===- Expectation.cpp - what the reference says about one case -------------===//

#include "Expectation.h"
#include "Case.h"
#include "RealTypes.h"
#include <algorithm>
#include <sstream>

using namespace cupel::worker;

namespace {

bool anyReal(const std::vector<at::Tensor> &Outputs) {
  return std::any_of(Outputs.begin(), Outputs.end(),
                     [](const at::Tensor &Output) { return isReal(Output.scalar_type()); });
}

/// \p Output where nothing else holds its memory, else a copy: it may be a view of an input.
at::Tensor owned(const at::Tensor &Output) {
  bool Alone =
      Output.is_contiguous() && Output.use_count() == 1 && Output.storage().use_count() == 1;
  return Alone ? Output : Output.clone(at::MemoryFormat::Contiguous);
}

/// What no output can be compared with is no reference.
void requireComparable(const std::vector<at::Tensor> &Outputs) {
  for (const at::Tensor &Output : Outputs) {
    if (Output.layout() != c10::kStrided) {
      std::ostringstream Text;
      Text << "the reference returns a tensor of the layout " << Output.layout()
           << ", and outputs are dense; return x.to_dense()";
      throw WorkerError("reference", "reference-failed", Text.str());
    }
    if (Output.numel() == 0)
      throw WorkerError("reference", "reference-failed",
                        "the reference returns an empty tensor, of the shape " +
                            Json(Output.sizes().vec()).dump() + ": there is nothing to compare");
    std::string Name = dtypeName(Output.scalar_type());
    try {
      parseDType(Name);
    } catch (const WorkerError &) {
      throw WorkerError("reference", "reference-failed",
                        "the reference returns a tensor of the dtype " + Name +
                            ", which problems do not have");
    }
  }
}

/// Why \p Exact cannot stand for \p Own, or nothing.
std::string mismatch(const std::vector<at::Tensor> &Own, const std::vector<at::Tensor> &Exact) {
  if (Own.size() != Exact.size())
    return "the reference returns another number of tensors in fp64";
  for (size_t I = 0; I < Own.size(); ++I) {
    if (Own[I].sizes() != Exact[I].sizes())
      return "the reference returns other shapes in fp64";
    if (isReal(Own[I].scalar_type()) && !isReal(Exact[I].scalar_type()))
      return "the reference returns other dtypes in fp64";
  }
  return "";
}

/// The outputs in fp64, or nothing and the reason.
std::vector<at::Tensor> exactOutputs(const Reference &Reference, const Inputs &Arguments,
                                     const std::vector<at::Tensor> &Own, std::string &Why) {
  if (!anyReal(Own)) {
    Why = "the outputs are no real numbers and are compared exactly";
    return {};
  }
  try {
    DefaultDouble Default;
    std::vector<at::Tensor> Exact = Reference.run(Arguments.cast(c10::ScalarType::Double));
    Why = mismatch(Own, Exact);
    return Why.empty() ? Exact : std::vector<at::Tensor>();
  } catch (const WorkerError &E) {
    Why = E.Code == "out-of-memory"
              ? "the device's memory does not hold the reference in fp64"
              : std::string("the reference does not run in fp64: ") + E.what();
  } catch (const std::exception &E) { // The copies of the inputs.
    Why = std::string("the device's memory does not hold the inputs in fp64: ") + E.what();
  }
  return {};
}

} // namespace

Expectation cupel::worker::expectationOf(const Reference &Reference, const Inputs &Arguments,
                                         Device &Device) {
  ExactArithmetic Exactly;
  std::vector<at::Tensor> Own = Reference.run(Arguments);
  requireComparable(Own);
  for (at::Tensor &Output : Own)
    Output = owned(Output);
  Device.synchronize();

  Expectation Result;
  std::vector<at::Tensor> Exact = exactOutputs(Reference, Arguments, Own, Result.PrecisionReason);
  Device.emptyCache();
  Result.Precision = Exact.empty() ? dtypeName(Own.front().scalar_type()) : "float64";
  for (size_t I = 0; I < Own.size(); ++I)
    Result.Outputs.push_back(makeExpected(Own[I], Exact.empty() ? Own[I] : owned(Exact[I])));
  return Result;
}

void cupel::worker::addPrecision(Json &Reply, const Expectation &Expectation) {
  Reply["reference_precision"] = Expectation.Precision;
  if (Expectation.Precision != "float64")
    Reply["reference_precision_reason"] = Expectation.PrecisionReason;
}
