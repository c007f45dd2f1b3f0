//===- ProcessChecks.cpp - the checks of module process --------------------===//

#include "../Modules.h"
#include "Constructor.h"
#include "Descriptor.h"
#include "DynamicLibrary.h"
#include "Environment.h"
#include "Exit.h"
#include "File.h"
#include "Inspection.h"
#include "Memory.h"
#include "Network.h"
#include "Subprocess.h"
#include "SymbolOverride.h"

namespace cupel {

void registerProcessChecks(CheckRegistry &Registry) {
  Registry.add<ConstructorCheck>();
  Registry.add<DescriptorCheck>();
  Registry.add<DynamicLibraryCheck>();
  Registry.add<EnvironmentCheck>();
  Registry.add<ExitCheck>();
  Registry.add<FileCheck>();
  Registry.add<InspectionCheck>();
  Registry.add<MemoryCheck>();
  Registry.add<NetworkCheck>();
  Registry.add<SubprocessCheck>();
  Registry.add<SymbolOverrideCheck>();
}

} // namespace cupel
