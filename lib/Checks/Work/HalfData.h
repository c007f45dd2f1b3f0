//===- HalfData.h - whether a submission's data are halves ------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_HALFDATA_H
#define CUPEL_LIB_CHECKS_WORK_HALFDATA_H

#include "cupel/Checks/CheckContext.h"
#include <set>

namespace cupel {

/// What the caller's data are, by the problem and by the pointers that kernels get to them. A half
/// buffer that the submission itself makes says nothing: what it holds was rounded on the way
/// there.
class HalfData {
public:
  explicit HalfData(CheckContext &Context);

  /// The problem has an input of half or bfloat16.
  bool isProblemOfHalf() const { return IsProblemOfHalf; }
  /// Some kernel gets halves that the submission did not make itself.
  bool isAnyOfHalf() const { return !Kernels.empty(); }
  /// \p Kernel gets an input as float and no half of the caller's.
  bool isOnFloatInputs(const clang::FunctionDecl &Kernel) const;
  /// \p Kernel gets an input at that parameter, and the problem's are all floats.
  bool isFloatInput(const clang::FunctionDecl &Kernel, unsigned Parameter) const;

private:
  bool getsInput(const clang::FunctionDecl &Kernel, unsigned Parameter) const;
  bool takesForeignHalf(const CodeUnit &Unit) const;

  CheckContext &Context;
  bool IsProblemOfHalf = false;
  std::set<const clang::FunctionDecl *> Kernels; ///< Those that get the caller's halves.
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_HALFDATA_H
