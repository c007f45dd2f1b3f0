//===- TensorCopy.h - fallback-tensor-copy --------------------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_TENSORCOPY_H
#define CUPEL_LIB_CHECKS_FALLBACK_TENSORCOPY_H

#include "cupel/Checks/Check.h"

namespace cupel {

class TensorCopyCheck : public Check {
public:
  TensorCopyCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_TENSORCOPY_H
