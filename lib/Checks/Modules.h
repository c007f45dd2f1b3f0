//===- Modules.h - one registering function a module ------------------------===//
#ifndef CUPEL_LIB_CHECKS_MODULES_H
#define CUPEL_LIB_CHECKS_MODULES_H

namespace cupel {

class CheckRegistry;

void registerEntryChecks(CheckRegistry &Registry);
void registerEvasionChecks(CheckRegistry &Registry);
void registerFallbackChecks(CheckRegistry &Registry);
void registerProcessChecks(CheckRegistry &Registry);
void registerPythonChecks(CheckRegistry &Registry);
void registerReuseChecks(CheckRegistry &Registry);
void registerTimingChecks(CheckRegistry &Registry);
void registerWorkChecks(CheckRegistry &Registry);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_MODULES_H
