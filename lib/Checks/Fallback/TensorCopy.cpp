//===- TensorCopy.cpp - fallback-tensor-copy ------------------------------===//

#include "TensorCopy.h"
#include "TorchUse.h"

namespace cupel {

TensorCopyCheck::TensorCopyCheck()
    : Check("fallback-tensor-copy", Level::Warn,
            "Copy or conversion of a tensor by torch: clone, copy_, item, to, zero_, fill_") {}

void TensorCopyCheck::run(CheckContext &Context) const {
  const Symbols &Names = Context.symbols();
  for (const auto &Unit : Context.program().units())
    for (const auto &Use : Unit->Uses) {
      TorchUse Torch = judgeTorchUse(*Use, Context);
      if (Torch.Route == TorchRoute::None || Torch.Work != Allowance::Copy)
        continue;
      Context
          .report(*this, Level::Warn, *Use,
                  "'" + Names.qualifiedName(Use->Callee) +
                      "' moves or fills data with torch's kernels")
          .Operator = Torch.Operator;
    }
}

} // namespace cupel
