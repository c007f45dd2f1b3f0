//===- HostClock.cpp - timing-host-clock -----------------------------------===//

#include "HostClock.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

HostClockCheck::HostClockCheck()
    : Check("timing-host-clock", Level::Warn, "The host reads a clock") {}

void HostClockCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Warn,
                  {"clock", "clock_gettime", "gettimeofday", "time", "times", "getrusage",
                   "timespec_get", "std::chrono::_V2::steady_clock::now",
                   "std::chrono::_V2::system_clock::now",
                   "std::chrono::_V2::high_resolution_clock::now", "std::chrono::steady_clock::now",
                   "std::chrono::system_clock::now", "__rdtsc", "__builtin_ia32_rdtsc"},
                  "reads a clock, which a kernel has no use for");
}

} // namespace cupel
