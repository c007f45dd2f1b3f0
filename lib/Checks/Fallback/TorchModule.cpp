//===- TorchModule.cpp - fallback-torch-module ----------------------------===//

#include "TorchModule.h"
#include "TorchUse.h"

namespace cupel {

TorchModuleCheck::TorchModuleCheck()
    : Check("fallback-torch-module", Level::Reject,
            "Modules, functionals, TorchScript or autograd functions of torch") {}

void TorchModuleCheck::run(CheckContext &Context) const {
  reportTorchUses(Context, *this, TorchRoute::Module);
}

} // namespace cupel
