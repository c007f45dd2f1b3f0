//===- Include.h - evasion-include -----------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_EVASION_INCLUDE_H
#define CUPEL_LIB_CHECKS_EVASION_INCLUDE_H

#include "cupel/Checks/Check.h"

namespace cupel {

class IncludeCheck : public Check {
public:
  IncludeCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_EVASION_INCLUDE_H
