//===- Result.h - reuse-result ---------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_REUSE_RESULT_H
#define CUPEL_LIB_CHECKS_REUSE_RESULT_H

#include "cupel/Checks/Check.h"

namespace cupel {

class ResultCheck : public Check {
public:
  ResultCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_REUSE_RESULT_H
