//===- Inspection.h - process-inspection -----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_INSPECTION_H
#define CUPEL_LIB_CHECKS_PROCESS_INSPECTION_H

#include "cupel/Checks/Check.h"

namespace cupel {

class InspectionCheck : public Check {
public:
  InspectionCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_INSPECTION_H
