//===- WorkChecks.cpp - the checks of module work --------------------------===//

#include "../Modules.h"
#include "ConstantOutput.h"
#include "CopiedInput.h"
#include "GlobalState.h"
#include "InputModified.h"
#include "LaunchLimits.h"
#include "LiteralShape.h"
#include "LowerPrecision.h"
#include "ReturnedInput.h"
#include "UnreadInput.h"
#include "UnwrittenOutput.h"

namespace cupel {

void registerWorkChecks(CheckRegistry &Registry) {
  Registry.add<ConstantOutputCheck>();
  Registry.add<CopiedInputCheck>();
  Registry.add<GlobalStateCheck>();
  Registry.add<InputModifiedCheck>();
  Registry.add<LaunchLimitsCheck>();
  Registry.add<LiteralShapeCheck>();
  Registry.add<LowerPrecisionCheck>();
  Registry.add<ReturnedInputCheck>();
  Registry.add<UnreadInputCheck>();
  Registry.add<UnwrittenOutputCheck>();
}

} // namespace cupel
