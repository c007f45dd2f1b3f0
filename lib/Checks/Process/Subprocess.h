//===- Subprocess.h - process-subprocess -----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_SUBPROCESS_H
#define CUPEL_LIB_CHECKS_PROCESS_SUBPROCESS_H

#include "cupel/Checks/Check.h"

namespace cupel {

class SubprocessCheck : public Check {
public:
  SubprocessCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_SUBPROCESS_H
