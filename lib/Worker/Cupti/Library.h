//===- Library.h - CUPTI, loaded when it is asked for -----------------------===//
//
// torch brings libcupti itself. Loading it by name instead of linking it makes a machine without it
// one where counters are `not measured (reason)`, not one where the worker does not start.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_CUPTI_LIBRARY_H
#define CUPEL_WORKER_CUPTI_LIBRARY_H

#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#include <stdexcept>
#include <string>

namespace cupel::worker {

/// Why something was not measured; what() is the text.
class NotMeasured : public std::runtime_error {
public:
  NotMeasured(std::string Code, const std::string &Text)
      : std::runtime_error(Text), Code(std::move(Code)) {}
  std::string Code;
};

#define CUPEL_CUPTI_FUNCTIONS(X)                                                                   \
  X(cuptiGetVersion)                                                                               \
  X(cuptiGetResultString)                                                                          \
  X(cuptiActivityRegisterCallbacks)                                                                \
  X(cuptiActivityEnable)                                                                           \
  X(cuptiActivityDisable)                                                                          \
  X(cuptiActivityFlushAll)                                                                         \
  X(cuptiActivityGetNextRecord)                                                                    \
  X(cuptiSubscribe)                                                                                \
  X(cuptiUnsubscribe)                                                                              \
  X(cuptiEnableCallback)                                                                           \
  X(cuptiDeviceGetChipName)                                                                        \
  X(cuptiProfilerInitialize)                                                                       \
  X(cuptiProfilerDeInitialize)                                                                     \
  X(cuptiProfilerGetCounterAvailability)                                                           \
  X(cuptiProfilerHostInitialize)                                                                   \
  X(cuptiProfilerHostDeinitialize)                                                                 \
  X(cuptiProfilerHostConfigAddMetrics)                                                             \
  X(cuptiProfilerHostGetConfigImageSize)                                                           \
  X(cuptiProfilerHostGetConfigImage)                                                               \
  X(cuptiProfilerHostGetNumOfPasses)                                                               \
  X(cuptiProfilerHostEvaluateToGpuValues)                                                          \
  X(cuptiRangeProfilerEnable)                                                                      \
  X(cuptiRangeProfilerDisable)                                                                     \
  X(cuptiRangeProfilerStart)                                                                       \
  X(cuptiRangeProfilerStop)                                                                        \
  X(cuptiRangeProfilerSetConfig)                                                                   \
  X(cuptiRangeProfilerDecodeData)                                                                  \
  X(cuptiRangeProfilerGetCounterDataSize)                                                          \
  X(cuptiRangeProfilerCounterDataImageInitialize)                                                  \
  X(cuptiRangeProfilerGetCounterDataInfo)

/// The functions of CUPTI that cupel calls.
struct CuptiApi {
#define CUPEL_CUPTI_MEMBER(Name) decltype(&::Name) Name = nullptr;
  CUPEL_CUPTI_FUNCTIONS(CUPEL_CUPTI_MEMBER)
#undef CUPEL_CUPTI_MEMBER

  /// Loads the library once. Throws NotMeasured `no-cupti` with the reason.
  static const CuptiApi &get();

  /// Throws NotMeasured unless \p Result is success: `counters-forbidden` for a lack of permission,
  /// with how to get it, else `cupti-error`.
  void check(CUptiResult Result, const char *What) const;
};

} // namespace cupel::worker

#endif // CUPEL_WORKER_CUPTI_LIBRARY_H
