//===- HostAsm.h - evasion-host-asm ----------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_EVASION_HOSTASM_H
#define CUPEL_LIB_CHECKS_EVASION_HOSTASM_H

#include "cupel/Checks/Check.h"

namespace cupel {

class HostAsmCheck : public Check {
public:
  HostAsmCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_EVASION_HOSTASM_H
