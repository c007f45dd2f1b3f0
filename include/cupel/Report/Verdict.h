//===- Verdict.h - from the records of the phases to a verdict --------------===//
//
// The rules are pure: records in, verdict and reasons out. docs/verdicts.md lists the reasons.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_REPORT_VERDICT_H
#define CUPEL_REPORT_VERDICT_H

#include "cupel/Report/EvalRecord.h"

namespace cupel {

/// Share of the GPU time above which work of others counts, 0 to 1. Below it are things like the
/// fill of a one-element flag, which no speed-up can come from.
inline constexpr double ForeignShareLimit = 0.01;

/// Whose GPU time a call of the entry was, each 0 to 1 of the call's GPU time. Fills and copies
/// that torch or the CUDA runtime made are their own class: they do not compute.
struct GpuShares {
  double Own = 0, Torch = 0, Vendor = 0, Unknown = 0, FillsAndCopies = 0;
};
GpuShares gpuShares(const std::vector<KernelRecord> &Kernels);

/// Whether \p Kernel only fills or copies memory, by torch's and the driver's names for those.
bool isFillOrCopy(const KernelRecord &Kernel);

/// The verdict over the phases that \p Record has. An accepted verdict may carry reasons too: they
/// are what a reader should know, such as the own share under the policy `partial`.
Judgement judge(const EvalRecord &Record);

} // namespace cupel

#endif // CUPEL_REPORT_VERDICT_H
