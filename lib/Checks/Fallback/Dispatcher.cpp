//===- Dispatcher.cpp - fallback-dispatcher -------------------------------===//

#include "Dispatcher.h"
#include "TorchUse.h"

namespace cupel {

DispatcherCheck::DispatcherCheck()
    : Check("fallback-dispatcher", Level::Reject,
            "Operator looked up in torch's dispatcher or operator tables") {}

void DispatcherCheck::run(CheckContext &Context) const {
  reportTorchUses(Context, *this, TorchRoute::Dispatcher);
}

} // namespace cupel
