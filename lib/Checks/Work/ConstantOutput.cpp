//===- ConstantOutput.cpp - work-constant-output ---------------------------===//

#include "ConstantOutput.h"
#include "../Flow/HostFlow.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Decl.h"

namespace cupel {

ConstantOutputCheck::ConstantOutputCheck()
    : Check("work-constant-output", Level::Reject, "No kernel reads the data of any input") {}

void ConstantOutputCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows()) {
    if (!Flow->launchesKernels() || Flow->inputs().empty() ||
        llvm::any_of(Flow->inputs(), [](const TensorObject *Input) { return Input->MayBeRead; }))
      continue;
    Report &R = Context.report(*this, Context.levelOfAbsence(), Flow->inputs().front()->Where,
                               "no kernel is given the data of any input: the output does not "
                               "depend on them");
    for (const ReturnFact &Return : Flow->returns())
      if (Return.Call == 1)
        Context.note(R, Return.Where, "it is returned here");
  }
}

} // namespace cupel
