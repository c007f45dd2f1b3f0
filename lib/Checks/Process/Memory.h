//===- Memory.h - process-memory -------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_MEMORY_H
#define CUPEL_LIB_CHECKS_PROCESS_MEMORY_H

#include "cupel/Checks/Check.h"

namespace cupel {

class MemoryCheck : public Check {
public:
  MemoryCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_MEMORY_H
