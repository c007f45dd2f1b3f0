//===- ConstantOutput.h - work-constant-output -----------------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_CONSTANTOUTPUT_H
#define CUPEL_LIB_CHECKS_WORK_CONSTANTOUTPUT_H

#include "cupel/Checks/Check.h"

namespace cupel {

class ConstantOutputCheck : public Check {
public:
  ConstantOutputCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_CONSTANTOUTPUT_H
