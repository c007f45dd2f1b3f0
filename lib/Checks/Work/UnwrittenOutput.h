//===- UnwrittenOutput.h - work-unwritten-output ---------------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_UNWRITTENOUTPUT_H
#define CUPEL_LIB_CHECKS_WORK_UNWRITTENOUTPUT_H

#include "cupel/Checks/Check.h"

namespace cupel {

class UnwrittenOutputCheck : public Check {
public:
  UnwrittenOutputCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_UNWRITTENOUTPUT_H
