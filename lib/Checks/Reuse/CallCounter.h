//===- CallCounter.h - reuse-call-counter ----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_REUSE_CALLCOUNTER_H
#define CUPEL_LIB_CHECKS_REUSE_CALLCOUNTER_H

#include "cupel/Checks/Check.h"

namespace cupel {

class CallCounterCheck : public Check {
public:
  CallCounterCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_REUSE_CALLCOUNTER_H
