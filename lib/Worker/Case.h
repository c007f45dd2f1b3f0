//===- Case.h - one set of sizes, as the protocol carries it ----------------===//
#ifndef CUPEL_WORKER_CASE_H
#define CUPEL_WORKER_CASE_H

#include "Protocol.h"
#include <c10/core/ScalarType.h>
#include <vector>

namespace cupel::worker {

struct TensorPlan {
  std::string Name;
  c10::ScalarType DType = c10::ScalarType::Float;
  std::vector<int64_t> Shape;
  Json Init;

  int64_t elements() const;
  int64_t bytes() const;
};

struct ScalarPlan {
  enum class Kind { Float, Int, Bool } Type = Kind::Float;
  double Value = 0;  ///< Of a float, or a bool as 0 or 1.
  int64_t Whole = 0; ///< Of an int.
};

/// One argument of the reference: a tensor, or a number when \c IsScalar.
struct InputPlan {
  bool IsScalar = false;
  TensorPlan Tensor; ///< Its name is the scalar's too.
  ScalarPlan Scalar;
};

struct CasePlan {
  std::string Name;
  std::vector<InputPlan> Inputs;
  std::vector<TensorPlan> Parameters;

  /// Inputs, then parameters, scalars left out: the order in which values are drawn.
  std::vector<const TensorPlan *> tensors() const;
  int64_t bytes() const;
};

/// Throws `bad-request`, which names the input and the field.
CasePlan parseCase(const Json &Case);

/// The dtype that torch's Python calls \p Name. Throws `bad-request`.
c10::ScalarType parseDType(const std::string &Name);
/// The other way round; dtypes that problems cannot name get torch's C++ name.
std::string dtypeName(c10::ScalarType Type);

/// Whether values of this dtype have rounding errors that the tolerance is about.
bool isReal(c10::ScalarType Type);

} // namespace cupel::worker

#endif // CUPEL_WORKER_CASE_H
