//===- GlobalState.h - work-global-state -----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_GLOBALSTATE_H
#define CUPEL_LIB_CHECKS_WORK_GLOBALSTATE_H

#include "cupel/Checks/Check.h"

namespace cupel {

class GlobalStateCheck : public Check {
public:
  GlobalStateCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_GLOBALSTATE_H
