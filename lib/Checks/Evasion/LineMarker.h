//===- LineMarker.h - evasion-line-marker ----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_EVASION_LINEMARKER_H
#define CUPEL_LIB_CHECKS_EVASION_LINEMARKER_H

#include "cupel/Checks/Check.h"

namespace cupel {

class LineMarkerCheck : public Check {
public:
  LineMarkerCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_EVASION_LINEMARKER_H
