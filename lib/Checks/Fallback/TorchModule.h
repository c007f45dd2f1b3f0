//===- TorchModule.h - fallback-torch-module ------------------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_TORCHMODULE_H
#define CUPEL_LIB_CHECKS_FALLBACK_TORCHMODULE_H

#include "cupel/Checks/Check.h"

namespace cupel {

class TorchModuleCheck : public Check {
public:
  TorchModuleCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_TORCHMODULE_H
