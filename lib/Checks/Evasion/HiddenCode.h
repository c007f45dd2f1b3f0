//===- HiddenCode.h - evasion-hidden-code ----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_EVASION_HIDDENCODE_H
#define CUPEL_LIB_CHECKS_EVASION_HIDDENCODE_H

#include "cupel/Checks/Check.h"

namespace cupel {

class HiddenCodeCheck : public Check {
public:
  HiddenCodeCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_EVASION_HIDDENCODE_H
