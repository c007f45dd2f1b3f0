//===- InitKinds.h - the ways in which values are drawn ---------------------===//
//
// One table that the reader checks against; docs/problem-format.md says what each kind means, and
// the worker draws them.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_PROBLEM_INITKINDS_H
#define CUPEL_PROBLEM_INITKINDS_H

#include "cupel/Problem/DType.h"
#include "cupel/Problem/ProblemSpec.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace cupel {

/// Numbers are read and passed on as doubles; beyond this, 2^53, not every whole one has one.
inline constexpr double MostExactWhole = 9007199254740992;

/// A number that a kind takes; one without a default must be given.
struct InitArgument {
  llvm::StringRef Name;
  std::optional<double> Default;
};

struct InitKind {
  llvm::StringRef Name;
  std::vector<InitArgument> Arguments;
  bool Reals, Integers, Bools; ///< The families of dtypes that it can fill.
};

/// All kinds, the usual ones first.
llvm::ArrayRef<InitKind> initKinds();
const InitKind *findInitKind(llvm::StringRef Name);

/// What may follow a draw, for example `softmax`, and the tensors that it makes sense for.
struct InitTransform {
  llvm::StringRef Name;
  unsigned LeastDimensions = 0;
  bool NeedsSquare = false; ///< The last two dimensions are equal.
  bool NeedsRows = false;   ///< The first dimension is two or more.
};

llvm::ArrayRef<InitTransform> initTransforms();
const InitTransform *findInitTransform(llvm::StringRef Name);

/// Why \p Init, whose kind is known and whose arguments are complete, cannot fill a tensor of
/// \p Type; empty when it can.
std::string checkInit(const InitSpec &Init, const DType &Type);

} // namespace cupel

#endif // CUPEL_PROBLEM_INITKINDS_H
