//===- Activity.h - what ran on the device during a call --------------------===//
#ifndef CUPEL_WORKER_CUPTI_ACTIVITY_H
#define CUPEL_WORKER_CUPTI_ACTIVITY_H

#include "Library.h"
#include <array>
#include <functional>
#include <vector>

namespace cupel::worker {

/// One kernel, copy or fill.
struct Activity {
  enum class Kind { Kernel, Memcpy, Memset } What = Kind::Kernel;
  std::string Name; ///< Mangled; `memcpy` and `memset` for the others.
  uint32_t Correlation = 0;
  uint64_t Start = 0, End = 0; ///< Nanoseconds.
  std::array<unsigned, 3> Grid{}, Block{};
  unsigned Registers = 0;
  unsigned StaticShared = 0, DynamicShared = 0;
  uint64_t LocalBytes = 0; ///< Of one thread.
  /// File of the object that asked CUDA for the launch: the submission, libtorch_cuda, cuBLAS.
  /// Empty when the stack did not tell.
  std::string Caller;
};

/// Runs \p Call several times, each time after \p Prepare, and returns what each call did on the
/// device, in the order of the launches. Throws NotMeasured.
std::vector<std::vector<Activity>> recordActivity(size_t Calls,
                                                  const std::function<void()> &Prepare,
                                                  const std::function<void()> &Call);

} // namespace cupel::worker

#endif // CUPEL_WORKER_CUPTI_ACTIVITY_H
