//===- Inspection.cpp - process-inspection ---------------------------------===//

#include "Inspection.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

InspectionCheck::InspectionCheck()
    : Check("process-inspection", Level::Reject,
            "The process or machine is looked at: gethostname, getppid, backtrace") {}

void InspectionCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Reject,
                  {"gethostname", "uname", "getlogin", "getlogin_r", "getppid", "getpgid",
                   "backtrace", "backtrace_symbols", "getauxval", "sysinfo", "prctl", "arch_prctl",
                   "getcmdline", "gethostid"},
                  "tells one machine or caller from another");
  reportNamedUses(
      Context, *this, Level::Reject,
      {"std::stacktrace::current", "std::basic_stacktrace::current", "abi::__cxa_demangle"},
      "looks at the call stack");
}

} // namespace cupel
