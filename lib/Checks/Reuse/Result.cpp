//===- Result.cpp - reuse-result -------------------------------------------===//

#include "Result.h"
#include "../Flow/HostFlow.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

ResultCheck::ResultCheck()
    : Check("reuse-result", Level::Reject, "A later call can return what an earlier one made") {}

void ResultCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows())
    for (const ReturnFact &Return : Flow->returns())
      for (const TensorObject *Object : Return.Values) {
        if (Return.Call != 2 || Object->BornIn != 1 ||
            Return.Written.count(const_cast<TensorObject *>(Object)) ||
            Object->From == TensorObject::Source::Input)
          continue;
        Report &R = Context.report(*this, Level::Reject, Return.Where,
                                   "the second call can return a tensor that the first one made "
                                   "and no kernel of the second has written");
        Context.note(R, Object->Where, "it is allocated here");
        if (Object->KeptAt.isValid())
          Context.note(R, Object->KeptAt, "it is kept here for later calls");
      }
}

} // namespace cupel
