//===- ProblemMemory.h - the memory that a problem needs --------------------===//
#ifndef CUPEL_LIB_DRIVER_PROBLEMMEMORY_H
#define CUPEL_LIB_DRIVER_PROBLEMMEMORY_H

#include "cupel/Runner/ReferenceChecker.h"

namespace cupel {

/// What the reference needs for one case: inputs, parameters, outputs and everything in between.
struct MemoryNeed {
  std::optional<uint64_t> PeakBytes; ///< Estimated (docs/problems.md).
  /// What it needs for certain: [cost].bytes, else inputs and parameters.
  uint64_t LeastBytes = 0;
  std::string Reason; ///< Why there is no estimate.

  /// `12.0 GiB`, or `>= 6.00 GiB` without an estimate.
  std::string text() const;
  /// {`peak_bytes`, `least_bytes`, `reason`}.
  llvm::json::Value json() const;
};

/// Asks the worker behind \p Checker. Without one, and for a reference that has no estimate, the
/// need says why.
MemoryNeed memoryNeed(ReferenceChecker &Checker, const ProblemSpec &Problem, const CaseSpec &Case);

/// A checker for estimates alone, which need no GPU.
std::unique_ptr<ReferenceChecker> makeEstimator();

} // namespace cupel

#endif // CUPEL_LIB_DRIVER_PROBLEMMEMORY_H
