//===- StoppingRule.h - when enough time samples were taken -----------------===//
#ifndef CUPEL_PROFILE_STOPPINGRULE_H
#define CUPEL_PROFILE_STOPPINGRULE_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cupel {

struct StoppingOptions {
  unsigned MinSamples = 100;
  unsigned MinBlocks = 8;  ///< Enough for the interval to be drawn from whole blocks.
  double MaxNoise = 0.005; ///< Relative; nvbench's default.
  /// Wall time from the first block on, after which measuring ends whatever the noise.
  double TimeLimitSeconds = 5;
};

/// The rule of nvbench's `stdrel` criterion, asked after each block of samples: there are enough
/// samples, and their relative noise is below the limit or has settled above it (its last values
/// differ by under 5 %: more samples would tell nothing new). Both stop by `noise`; the noise
/// itself is in the record. Else the time limit stops, by `time`.
class StoppingRule {
public:
  explicit StoppingRule(const StoppingOptions &Options) : Options(Options) {}

  /// \p Samples: all that were taken so far. \p ElapsedSeconds: since the first block began.
  /// Returns `noise` or `time` to stop, else nothing.
  std::optional<std::string> afterBlock(llvm::ArrayRef<double> Samples, double ElapsedSeconds);

private:
  bool noiseSettled() const;

  StoppingOptions Options;
  std::vector<double> Noise; ///< After each block.
};

} // namespace cupel

#endif // CUPEL_PROFILE_STOPPINGRULE_H
