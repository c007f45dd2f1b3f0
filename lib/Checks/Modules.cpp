//===- Modules.cpp - all modules of checks ----------------------------------===//

#include "Modules.h"
#include "cupel/Checks/Check.h"

namespace cupel {

void registerAllChecks(CheckRegistry &Registry) {
  registerEntryChecks(Registry);
  registerEvasionChecks(Registry);
  registerFallbackChecks(Registry);
  registerProcessChecks(Registry);
  registerPythonChecks(Registry);
  registerReuseChecks(Registry);
  registerTimingChecks(Registry);
  registerWorkChecks(Registry);
}

} // namespace cupel
