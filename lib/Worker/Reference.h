//===- Reference.h - the problem's own computation --------------------------===//
#ifndef CUPEL_WORKER_REFERENCE_H
#define CUPEL_WORKER_REFERENCE_H

#include "Inputs.h"
#include <memory>

namespace cupel::worker {

class Reference {
public:
  /// Compiles TorchScript. Throws `unsupported-language` or `reference-error` with the compiler's
  /// text and place, also for a result that is no tensor and no tuple of them.
  Reference(const std::string &Language, const std::string &Source,
            const std::vector<std::string> &Parameters);
  ~Reference();

  /// How many tensors the result has.
  int outputCount() const;

  /// Runs forward() eagerly, without gradients. Throws `reference-failed` with the operator's text,
  /// `out-of-memory`.
  std::vector<at::Tensor> run(const Inputs &Arguments) const;

  /// The same with \p Argument for each input and parameter of \p Plan, on whatever device.
  std::vector<at::Tensor>
  run(const CasePlan &Plan, const std::function<c10::IValue(const std::string &)> &Argument) const;

private:
  c10::TypePtr resultType() const;

  struct State;
  std::unique_ptr<State> Impl;
};

/// Settings under which the judge computes: float32 stays float32, also in convolutions, where
/// torch would take TF32, and float16 is summed up in float32. The eager baseline keeps torch's
/// defaults.
class ExactArithmetic {
public:
  ExactArithmetic();
  ~ExactArithmetic();
  ExactArithmetic(const ExactArithmetic &) = delete;

private:
  bool CudnnTF32;
};

/// The tensors of a result: a tensor, or a tuple or list of them. Nothing for anything else.
std::optional<std::vector<at::Tensor>> tensorsOf(const c10::IValue &Value);

} // namespace cupel::worker

#endif // CUPEL_WORKER_REFERENCE_H
