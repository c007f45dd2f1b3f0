//===- Statistics.h - medians, noise and confidence of time samples ---------===//
#ifndef CUPEL_PROFILE_STATISTICS_H
#define CUPEL_PROFILE_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace cupel {

/// The \p Q quantile (0 to 1) with linear interpolation between order statistics, which is the
/// default of R and NumPy (Hyndman and Fan 1996, type 7). \p Samples must not be empty.
double quantile(llvm::ArrayRef<double> Samples, double Q);

double median(llvm::ArrayRef<double> Samples);

/// \p Samples without those beyond Tukey's outer fences, three interquartile ranges outside the
/// quartiles: an interrupt or a clock change makes samples that say nothing about the kernel.
std::vector<double> withoutOutliers(llvm::ArrayRef<double> Samples);

/// Noise as nvbench defines it, the standard deviation over the mean, of withoutOutliers(). Empty
/// for fewer than two samples or a mean that is not positive.
std::optional<double> relativeNoise(llvm::ArrayRef<double> Samples);

struct Interval {
  double Low = 0, High = 0;
};

/// Samples of one thing that was measured in blocks: \c BlockSizes adds up to the samples' number.
struct BlockedSamples {
  llvm::ArrayRef<double> Samples;
  llvm::ArrayRef<unsigned> BlockSizes;
};

/// Where a process's memory lies makes its times of a kernel differ from another process's by more
/// than the samples of either tell: by up to 0.17 % for one kernel in both (utils/bench-self.py, 20
/// runs of 130 us on an H200).
inline constexpr double SystematicShare = 0.002;

/// The 95 % bootstrap interval of median(\p Numerator) / median(\p Denominator): percentiles,
/// expanded for the number of blocks and, on either side, by SystematicShare.
///
/// Whole blocks are drawn, the same ones on both sides, because samples of a block share clocks
/// and addresses: drawing single samples would claim more certainty than there is. With fewer than
/// \c MinBlocksForBootstrap blocks, or with blocks that do not pair up, single samples are drawn.
/// The random numbers start from a fixed seed, so a record always gives the same interval. Empty
/// for fewer than two samples on a side or a sample that is not positive.
std::optional<Interval> ratioInterval(const BlockedSamples &Numerator,
                                      const BlockedSamples &Denominator);

inline constexpr size_t MinBlocksForBootstrap = 6;

} // namespace cupel

#endif // CUPEL_PROFILE_STATISTICS_H
