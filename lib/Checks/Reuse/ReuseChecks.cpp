//===- ReuseChecks.cpp - the checks of module reuse ------------------------===//

#include "../Modules.h"
#include "CallCounter.h"
#include "DeferredWork.h"
#include "PreparedInput.h"
#include "Result.h"

namespace cupel {

void registerReuseChecks(CheckRegistry &Registry) {
  Registry.add<CallCounterCheck>();
  Registry.add<DeferredWorkCheck>();
  Registry.add<PreparedInputCheck>();
  Registry.add<ResultCheck>();
}

} // namespace cupel
