// The list of the kernels that ran.
#pragma once

#include "cupel/emulate/Runtime.h"

namespace cupel::emu {

/// Notes a launch that was not refused. `Function` as in launchKernel().
void recordLaunch(const Site &Where, const void *Function, const LaunchShape &Shape);
void forgetLaunches();

} // namespace cupel::emu
