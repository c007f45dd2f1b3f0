//===- SideStream.h - timing-side-stream -----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_SIDESTREAM_H
#define CUPEL_LIB_CHECKS_TIMING_SIDESTREAM_H

#include "cupel/Checks/Check.h"

namespace cupel {

class SideStreamCheck : public Check {
public:
  SideStreamCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_SIDESTREAM_H
