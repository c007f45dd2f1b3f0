//===- SymbolOverride.h - process-symbol-override --------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_SYMBOLOVERRIDE_H
#define CUPEL_LIB_CHECKS_PROCESS_SYMBOLOVERRIDE_H

#include "cupel/Checks/Check.h"

namespace cupel {

class SymbolOverrideCheck : public Check {
public:
  SymbolOverrideCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_SYMBOLOVERRIDE_H
