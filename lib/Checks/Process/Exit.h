//===- Exit.h - process-exit -----------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_EXIT_H
#define CUPEL_LIB_CHECKS_PROCESS_EXIT_H

#include "cupel/Checks/Check.h"

namespace cupel {

class ExitCheck : public Check {
public:
  ExitCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_EXIT_H
