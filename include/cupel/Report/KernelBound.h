//===- KernelBound.h - what a kernel's time is spent on ----------------------===//
#ifndef CUPEL_REPORT_KERNELBOUND_H
#define CUPEL_REPORT_KERNELBOUND_H

#include "cupel/Runner/KernelRecord.h"

namespace cupel {

/// What bounds a kernel, with the figures that say so. docs/measuring.md has the rules.
struct KernelBound {
  /// `dram`, `l2`, `tensor`, `arithmetic`, `parallelism` (fewer blocks than multiprocessors),
  /// `launch` (shorter than its launch) or `latency`; `unknown` at the level `basic` for what DRAM
  /// and tensor cores do not bound.
  std::string By;
  std::string Text; ///< One sentence without a full stop.
};

/// Nothing for a kernel without counters. \p Multiprocessors: of the GPU, where known.
std::optional<KernelBound> boundOf(const KernelRecord &Kernel,
                                   std::optional<unsigned> Multiprocessors);

} // namespace cupel

#endif // CUPEL_REPORT_KERNELBOUND_H
