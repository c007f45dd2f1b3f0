//===- L2EvictLast.h - timing-l2-evict-last --------------------------------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_L2EVICTLAST_H
#define CUPEL_LIB_CHECKS_TIMING_L2EVICTLAST_H

#include "cupel/Checks/Check.h"

namespace cupel {

class L2EvictLastCheck : public Check {
public:
  L2EvictLastCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_L2EVICTLAST_H
