//===- Thread.h - timing-thread --------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_THREAD_H
#define CUPEL_LIB_CHECKS_TIMING_THREAD_H

#include "cupel/Checks/Check.h"

namespace cupel {

class ThreadCheck : public Check {
public:
  ThreadCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_THREAD_H
