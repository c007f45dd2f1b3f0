//===- ReturnedInput.h - work-returned-input -------------------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_RETURNEDINPUT_H
#define CUPEL_LIB_CHECKS_WORK_RETURNEDINPUT_H

#include "cupel/Checks/Check.h"

namespace cupel {

class ReturnedInputCheck : public Check {
public:
  ReturnedInputCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_RETURNEDINPUT_H
