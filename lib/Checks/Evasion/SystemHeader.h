//===- SystemHeader.h - evasion-system-header ------------------------------===//
#ifndef CUPEL_LIB_CHECKS_EVASION_SYSTEMHEADER_H
#define CUPEL_LIB_CHECKS_EVASION_SYSTEMHEADER_H

#include "cupel/Checks/Check.h"

namespace cupel {

class SystemHeaderCheck : public Check {
public:
  SystemHeaderCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_EVASION_SYSTEMHEADER_H
