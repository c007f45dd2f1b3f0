//===- Ambiguous.h - entry-ambiguous ---------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_ENTRY_AMBIGUOUS_H
#define CUPEL_LIB_CHECKS_ENTRY_AMBIGUOUS_H

#include "cupel/Checks/Check.h"

namespace cupel {

class AmbiguousCheck : public Check {
public:
  AmbiguousCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_ENTRY_AMBIGUOUS_H
