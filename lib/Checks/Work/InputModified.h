//===- InputModified.h - work-input-modified -------------------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_INPUTMODIFIED_H
#define CUPEL_LIB_CHECKS_WORK_INPUTMODIFIED_H

#include "cupel/Checks/Check.h"

namespace cupel {

class InputModifiedCheck : public Check {
public:
  InputModifiedCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_INPUTMODIFIED_H
