//===- InputModified.cpp - work-input-modified -----------------------------===//

#include "InputModified.h"
#include "../Flow/HostFlow.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Decl.h"

namespace cupel {

InputModifiedCheck::InputModifiedCheck()
    : Check("work-input-modified", Level::Warn, "A kernel stores into an input") {}

void InputModifiedCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows())
    for (const TensorObject *Input : Flow->inputs())
      if (Input->StoredAt.isValid()) {
        Report &R = Context.report(*this, Level::Warn, Input->StoredAt,
                                   "this kernel stores into '" + Input->Parameter->getName() +
                                       "', which belongs to the caller");
        Context.note(R, Input->Where, "it comes in here");
      }
}

} // namespace cupel
