//===- TensorFill.cpp - fallback-tensor-fill ------------------------------===//

#include "TensorFill.h"
#include "TorchUse.h"

namespace cupel {

TensorFillCheck::TensorFillCheck()
    : Check("fallback-tensor-fill", Level::Note,
            "Allocation with torch's fill kernel: zeros, ones, full") {}

void TensorFillCheck::run(CheckContext &Context) const {
  const Symbols &Names = Context.symbols();
  for (const auto &Unit : Context.program().units())
    for (const auto &Use : Unit->Uses) {
      TorchUse Torch = classifyTorchUse(*Use, Names);
      if (Torch.Route == TorchRoute::None || Torch.Work != Allowance::Fill)
        continue;
      Context
          .report(*this, Level::Note, *Use,
                  "'" + Names.qualifiedName(Use->Callee) +
                      "' fills with a kernel of torch, whose share of GPU time is torch's")
          .Operator = Torch.Operator;
    }
}

} // namespace cupel
