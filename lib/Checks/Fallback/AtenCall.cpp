//===- AtenCall.cpp - fallback-aten-call ----------------------------------===//

#include "AtenCall.h"
#include "TorchUse.h"

namespace cupel {

AtenCallCheck::AtenCallCheck()
    : Check("fallback-aten-call", Level::Reject,
            "Function of torch that computes: at::matmul, torch::softmax, at::_ops::*::call") {}

void AtenCallCheck::run(CheckContext &Context) const {
  reportTorchUses(Context, *this, TorchRoute::Function);
}

} // namespace cupel
