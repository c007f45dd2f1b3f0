//===- Environment.h - process-environment ---------------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_ENVIRONMENT_H
#define CUPEL_LIB_CHECKS_PROCESS_ENVIRONMENT_H

#include "cupel/Checks/Check.h"

namespace cupel {

class EnvironmentCheck : public Check {
public:
  EnvironmentCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_ENVIRONMENT_H
