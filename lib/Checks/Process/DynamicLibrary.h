//===- DynamicLibrary.h - process-dynamic-library --------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_DYNAMICLIBRARY_H
#define CUPEL_LIB_CHECKS_PROCESS_DYNAMICLIBRARY_H

#include "cupel/Checks/Check.h"

namespace cupel {

class DynamicLibraryCheck : public Check {
public:
  DynamicLibraryCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_DYNAMICLIBRARY_H
