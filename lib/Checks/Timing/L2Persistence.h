//===- L2Persistence.h - timing-l2-persistence -----------------------------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_L2PERSISTENCE_H
#define CUPEL_LIB_CHECKS_TIMING_L2PERSISTENCE_H

#include "cupel/Checks/Check.h"

namespace cupel {

class L2PersistenceCheck : public Check {
public:
  L2PersistenceCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_L2PERSISTENCE_H
