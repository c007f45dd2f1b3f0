//===- UnreadInput.cpp - work-unread-input ---------------------------------===//

#include "UnreadInput.h"
#include "../Flow/HostFlow.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Decl.h"

namespace cupel {

UnreadInputCheck::UnreadInputCheck()
    : Check("work-unread-input", Level::Warn, "An input whose data no kernel is given") {}

void UnreadInputCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows()) {
    const bool ReadsAny =
        llvm::any_of(Flow->inputs(), [](const TensorObject *Input) { return Input->MayBeRead; });
    for (const TensorObject *Input : Flow->inputs())
      if (ReadsAny && !Input->MayBeRead)
        Context.report(*this, Level::Warn, Input->Where,
                       "no kernel is given the data of '" + Input->Parameter->getName() + "'");
  }
}

} // namespace cupel
