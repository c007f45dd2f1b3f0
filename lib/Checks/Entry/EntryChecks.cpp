//===- EntryChecks.cpp - the checks of module entry ------------------------===//

#include "../Modules.h"
#include "Ambiguous.h"
#include "Guard.h"
#include "Missing.h"
#include "Signature.h"
#include "cupel/Checks/Check.h"

namespace cupel {

void registerEntryChecks(CheckRegistry &Registry) {
  Registry.add<AmbiguousCheck>();
  Registry.add<GuardCheck>();
  Registry.add<MissingCheck>();
  Registry.add<SignatureCheck>();
}

} // namespace cupel
