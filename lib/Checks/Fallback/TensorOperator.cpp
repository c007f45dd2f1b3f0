//===- TensorOperator.cpp - fallback-tensor-operator ----------------------===//

#include "TensorOperator.h"
#include "TorchUse.h"

namespace cupel {

TensorOperatorCheck::TensorOperatorCheck()
    : Check("fallback-tensor-operator", Level::Reject,
            "Overloaded operator or indexing on tensors: a + b, x[0], x.index({...})") {}

void TensorOperatorCheck::run(CheckContext &Context) const {
  reportTorchUses(Context, *this, TorchRoute::Operator);
}

} // namespace cupel
