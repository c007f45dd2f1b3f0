//===- HostClock.cpp - timing-host-clock -----------------------------------===//

#include "HostClock.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

HostClockCheck::HostClockCheck()
    : Check("timing-host-clock", Level::Warn, "The host reads a clock") {}

void HostClockCheck::run(CheckContext &Context) const {
  forEachHostUse(Context, [&](const FunctionUse &Use, llvm::StringRef Name) {
    if (isHostClock(Name))
      Context.report(*this, Level::Warn, Use,
                     "'" + Name + "' reads a clock, which a kernel has no use for");
  });
}

} // namespace cupel
