//===- Dispatcher.h - fallback-dispatcher ---------------------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_DISPATCHER_H
#define CUPEL_LIB_CHECKS_FALLBACK_DISPATCHER_H

#include "cupel/Checks/Check.h"

namespace cupel {

class DispatcherCheck : public Check {
public:
  DispatcherCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_DISPATCHER_H
