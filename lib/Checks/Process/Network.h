//===- Network.h - process-network -----------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_NETWORK_H
#define CUPEL_LIB_CHECKS_PROCESS_NETWORK_H

#include "cupel/Checks/Check.h"

namespace cupel {

class NetworkCheck : public Check {
public:
  NetworkCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_NETWORK_H
