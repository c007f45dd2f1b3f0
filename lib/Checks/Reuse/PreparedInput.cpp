//===- PreparedInput.cpp - reuse-prepared-input ----------------------------===//

#include "PreparedInput.h"
#include "../Flow/HostFlow.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

PreparedInputCheck::PreparedInputCheck()
    : Check("reuse-prepared-input", Level::Reject,
            "A kernel reads what only an earlier call made from its inputs") {}

void PreparedInputCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows())
    for (const StaleRead &Read : Flow->staleReads()) {
      const TensorObject &Object = *Read.Object;
      Report &R = Context.report(
          *this, Level::Reject, Object.KeptAt.isValid() ? Object.KeptAt : Object.Where,
          "what a kernel makes from an input is kept here, and a later call reads it unchanged");
      Context.note(R, Object.Where, "it is allocated here");
      Context.note(R, Read.Where, "this kernel of the later call reads it");
    }
}

} // namespace cupel
