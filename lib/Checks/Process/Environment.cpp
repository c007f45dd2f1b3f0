//===- Environment.cpp - process-environment -------------------------------===//

#include "Environment.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

EnvironmentCheck::EnvironmentCheck()
    : Check("process-environment", Level::Warn,
            "The environment is read or changed: getenv, setenv, environ") {}

void EnvironmentCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Warn,
                  {"getenv", "secure_getenv", "setenv", "unsetenv", "putenv", "clearenv"},
                  "makes the result depend on the environment");
}

} // namespace cupel
