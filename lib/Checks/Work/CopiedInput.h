//===- CopiedInput.h - work-copied-input -----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_COPIEDINPUT_H
#define CUPEL_LIB_CHECKS_WORK_COPIEDINPUT_H

#include "cupel/Checks/Check.h"

namespace cupel {

class CopiedInputCheck : public Check {
public:
  CopiedInputCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_COPIEDINPUT_H
