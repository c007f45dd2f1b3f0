//===- Suppression.h - evasion-suppression ---------------------------------===//
#ifndef CUPEL_LIB_CHECKS_EVASION_SUPPRESSION_H
#define CUPEL_LIB_CHECKS_EVASION_SUPPRESSION_H

#include "cupel/Checks/Check.h"

namespace cupel {

class SuppressionCheck : public Check {
public:
  SuppressionCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_EVASION_SUPPRESSION_H
