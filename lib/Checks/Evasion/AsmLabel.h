//===- AsmLabel.h - evasion-asm-label --------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_EVASION_ASMLABEL_H
#define CUPEL_LIB_CHECKS_EVASION_ASMLABEL_H

#include "cupel/Checks/Check.h"

namespace cupel {

class AsmLabelCheck : public Check {
public:
  AsmLabelCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_EVASION_ASMLABEL_H
