//===- File.h - process-file -----------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_FILE_H
#define CUPEL_LIB_CHECKS_PROCESS_FILE_H

#include "cupel/Checks/Check.h"

namespace cupel {

class FileCheck : public Check {
public:
  FileCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_FILE_H
