//===- DeferredWork.h - reuse-deferred-work --------------------------------===//
#ifndef CUPEL_LIB_CHECKS_REUSE_DEFERREDWORK_H
#define CUPEL_LIB_CHECKS_REUSE_DEFERREDWORK_H

#include "cupel/Checks/Check.h"

namespace cupel {

class DeferredWorkCheck : public Check {
public:
  DeferredWorkCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_REUSE_DEFERREDWORK_H
