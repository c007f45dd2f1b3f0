//===- Value.h - what is known of a value in a call of the entry ------------===//
#ifndef CUPEL_LIB_CHECKS_ENTRY_VALUE_H
#define CUPEL_LIB_CHECKS_ENTRY_VALUE_H

#include "cupel/Problem/ProblemSpec.h"

namespace cupel {

/// An argument of one case: a contiguous tensor on the GPU.
struct TensorFacts {
  const TensorSpec *Spec = nullptr;
  std::vector<int64_t> Shape;
};

struct Value {
  enum class Kind {
    Unknown,
    Integer, ///< Also bool and enumerators.
    Real,
    Tensor, ///< Or an optional that holds it.
    Sizes,  ///< A list of integers.
    DType,  ///< torch's TypeMeta, by the problem's name for it.
    Device, ///< The GPU.
  };
  Kind Is = Kind::Unknown;
  int64_t Integer = 0;
  double Real = 0;
  const TensorFacts *Tensor = nullptr;
  std::vector<int64_t> Sizes;
  std::string DType;

  static Value integer(int64_t N) {
    Value V;
    V.Is = Kind::Integer;
    V.Integer = N;
    return V;
  }
  static Value real(double N) {
    Value V;
    V.Is = Kind::Real;
    V.Real = N;
    return V;
  }
  static Value tensor(const TensorFacts *T) {
    Value V;
    V.Is = Kind::Tensor;
    V.Tensor = T;
    return V;
  }
  static Value sizes(std::vector<int64_t> List) {
    Value V;
    V.Is = Kind::Sizes;
    V.Sizes = std::move(List);
    return V;
  }
  static Value dtype(llvm::StringRef Name) {
    Value V;
    V.Is = Kind::DType;
    V.DType = Name.str();
    return V;
  }
  static Value device() {
    Value V;
    V.Is = Kind::Device;
    return V;
  }

  bool isKnown() const { return Is != Kind::Unknown; }
  /// As a condition; nothing when it is unknown or no number.
  std::optional<bool> truth() const {
    if (Is == Kind::Integer)
      return Integer != 0;
    if (Is == Kind::Real)
      return Real != 0;
    return std::nullopt;
  }
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_ENTRY_VALUE_H
