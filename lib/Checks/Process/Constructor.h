//===- Constructor.h - process-constructor ---------------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_CONSTRUCTOR_H
#define CUPEL_LIB_CHECKS_PROCESS_CONSTRUCTOR_H

#include "cupel/Checks/Check.h"

namespace cupel {

class ConstructorCheck : public Check {
public:
  ConstructorCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_CONSTRUCTOR_H
