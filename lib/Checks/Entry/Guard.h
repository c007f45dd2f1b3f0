//===- Guard.h - entry-guard -----------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_ENTRY_GUARD_H
#define CUPEL_LIB_CHECKS_ENTRY_GUARD_H

#include "cupel/Checks/Check.h"

namespace cupel {

class GuardCheck : public Check {
public:
  GuardCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_ENTRY_GUARD_H
