//===- DType.h - the element types of a problem's tensors -------------------===//
#ifndef CUPEL_PROBLEM_DTYPE_H
#define CUPEL_PROBLEM_DTYPE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace cupel {

/// An element type as torch spells it.
struct DType {
  enum class Family { Real, Integer, Bool };

  llvm::StringRef Name;
  unsigned Bytes; ///< Of one element.
  Family Kind;
  double Lowest, Highest; ///< Range of the values, as far as a double holds it.
};

/// All dtypes that a problem may name.
llvm::ArrayRef<DType> dtypes();

/// Null when there is none of this name.
const DType *findDType(llvm::StringRef Name);

} // namespace cupel

#endif // CUPEL_PROBLEM_DTYPE_H
