//===- LiteralShape.h - work-literal-shape ---------------------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_LITERALSHAPE_H
#define CUPEL_LIB_CHECKS_WORK_LITERALSHAPE_H

#include "cupel/Checks/Check.h"

namespace cupel {

class LiteralShapeCheck : public Check {
public:
  LiteralShapeCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_LITERALSHAPE_H
