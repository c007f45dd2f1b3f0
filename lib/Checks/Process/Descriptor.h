//===- Descriptor.h - process-descriptor -----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_PROCESS_DESCRIPTOR_H
#define CUPEL_LIB_CHECKS_PROCESS_DESCRIPTOR_H

#include "cupel/Checks/Check.h"

namespace cupel {

class DescriptorCheck : public Check {
public:
  DescriptorCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROCESS_DESCRIPTOR_H
