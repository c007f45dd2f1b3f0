//===- TensorMethod.cpp - fallback-tensor-method --------------------------===//

#include "TensorMethod.h"
#include "TorchUse.h"

namespace cupel {

TensorMethodCheck::TensorMethodCheck()
    : Check("fallback-tensor-method", Level::Reject,
            "Tensor method that computes: x.sum(), x.relu_(), x.to(torch::kHalf)") {}

void TensorMethodCheck::run(CheckContext &Context) const {
  reportTorchUses(Context, *this, TorchRoute::Method);
}

} // namespace cupel
