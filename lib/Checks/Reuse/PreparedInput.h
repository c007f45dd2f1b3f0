//===- PreparedInput.h - reuse-prepared-input ------------------------------===//
#ifndef CUPEL_LIB_CHECKS_REUSE_PREPAREDINPUT_H
#define CUPEL_LIB_CHECKS_REUSE_PREPAREDINPUT_H

#include "cupel/Checks/Check.h"

namespace cupel {

class PreparedInputCheck : public Check {
public:
  PreparedInputCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_REUSE_PREPAREDINPUT_H
