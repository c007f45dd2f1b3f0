//===- Modules.cpp - all modules of checks ----------------------------------===//

#include "Modules.h"
#include "cupel/Checks/Check.h"

namespace cupel {

void registerAllChecks(CheckRegistry &Registry) {
  registerFallbackChecks(Registry);
}

} // namespace cupel
