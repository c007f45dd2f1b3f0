//===- Peaks.h - what this GPU reaches at best ------------------------------===//
#ifndef CUPEL_WORKER_PEAKS_H
#define CUPEL_WORKER_PEAKS_H

#include "Device.h"

namespace cupel::worker {

/// `state`, `reason`, `dram_gb_per_s`: {`copy`, `read`, `write`}, `tflops`: {`float64`, `float32`,
/// `tf32`, `float16`, `bfloat16`}, `l2_bytes`, `dram_theoretical_gb_per_s`; docs/measuring.md has
/// the method. Takes about a second. Throws `out-of-memory`.
Json measurePeaks(Device &Device);

} // namespace cupel::worker

#endif // CUPEL_WORKER_PEAKS_H
