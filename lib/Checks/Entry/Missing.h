//===- Missing.h - entry-missing -------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_ENTRY_MISSING_H
#define CUPEL_LIB_CHECKS_ENTRY_MISSING_H

#include "cupel/Checks/Check.h"

namespace cupel {

class MissingCheck : public Check {
public:
  MissingCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_ENTRY_MISSING_H
