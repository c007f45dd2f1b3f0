//===- EvasionChecks.cpp - the checks of module evasion --------------------===//

#include "../Modules.h"
#include "AsmLabel.h"
#include "HiddenCode.h"
#include "HostAsm.h"
#include "Include.h"
#include "LineMarker.h"
#include "Suppression.h"
#include "SystemHeader.h"

namespace cupel {

void registerEvasionChecks(CheckRegistry &Registry) {
  Registry.add<AsmLabelCheck>();
  Registry.add<HiddenCodeCheck>();
  Registry.add<HostAsmCheck>();
  Registry.add<IncludeCheck>();
  Registry.add<LineMarkerCheck>();
  Registry.add<SuppressionCheck>();
  Registry.add<SystemHeaderCheck>();
}

} // namespace cupel
