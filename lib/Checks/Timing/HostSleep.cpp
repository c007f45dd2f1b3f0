//===- HostSleep.cpp - timing-host-sleep -----------------------------------===//

#include "HostSleep.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

HostSleepCheck::HostSleepCheck()
    : Check("timing-host-sleep", Level::Reject, "The host sleeps or spins in the call") {}

void HostSleepCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Reject,
                  {"sleep", "usleep", "nanosleep", "clock_nanosleep", "std::this_thread::sleep_for",
                   "std::this_thread::sleep_until", "std::this_thread::__sleep_for", "poll",
                   "select", "pselect", "ppoll", "epoll_wait", "sched_yield", "pause"},
                  "makes the host wait");
}

} // namespace cupel
