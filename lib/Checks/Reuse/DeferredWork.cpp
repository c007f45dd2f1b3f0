//===- DeferredWork.cpp - reuse-deferred-work ------------------------------===//

#include "DeferredWork.h"
#include "../Flow/HostFlow.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

DeferredWorkCheck::DeferredWorkCheck()
    : Check("reuse-deferred-work", Level::Reject,
            "A call can return before its output is written, and keeps it for a later call") {}

void DeferredWorkCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows())
    for (const ReturnFact &Return : Flow->returns())
      for (TensorObject *Object : Return.Values) {
        if (Return.IsGuarded || Object->From != TensorObject::Source::Empty ||
            Object->BornIn != Return.Call || Object->KeptAt.isInvalid() ||
            Return.Written.count(Object))
          continue;
        Report &R = Context.report(*this, Level::Reject, Return.Where,
                                   "the call can return this tensor unwritten and leave the work "
                                   "to a later one");
        Context.note(R, Object->KeptAt, "it is kept here");
        Context.note(R, Object->Where, "it is allocated here");
      }
}

} // namespace cupel
