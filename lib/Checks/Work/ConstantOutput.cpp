//===- ConstantOutput.cpp - work-constant-output ---------------------------===//

#include "ConstantOutput.h"
#include "../Flow/HostFlow.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Decl.h"

namespace cupel {

ConstantOutputCheck::ConstantOutputCheck()
    : Check("work-constant-output", Level::Reject,
            "No kernel stores anything that depends on the data of an input") {}

void ConstantOutputCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows()) {
    if (!Flow->launchesKernels() || Flow->inputs().empty())
      continue;
    const bool IsGiven =
        llvm::any_of(Flow->inputs(), [](const TensorObject *Input) { return Input->MayBeRead; });
    const bool IsConstant = Flow->work() <= KernelEffects::Work::Constants && !Flow->worksOutside();
    if (IsGiven && !IsConstant)
      continue;
    Report &R = Context.report(
        *this, Context.levelOfAbsence(), Flow->inputs().front()->Where,
        IsGiven ? "the output does not depend on the data of '" +
                      Flow->inputs().front()->Parameter->getName() +
                      "' or of another input: what the kernels store are constants, indices and "
                      "scalar arguments"
                : "the output does not depend on the data of '" +
                      Flow->inputs().front()->Parameter->getName() +
                      "' or of another input: no kernel that is launched reads them");
    for (const ReturnFact &Return : Flow->returns())
      if (Return.Call == 1)
        Context.note(R, Return.Where, "it is returned here");
  }
}

} // namespace cupel
