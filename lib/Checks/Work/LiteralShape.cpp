//===- LiteralShape.cpp - work-literal-shape -------------------------------===//

#include "LiteralShape.h"
#include "../Flow/HostFlow.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

LiteralShapeCheck::LiteralShapeCheck()
    : Check("work-literal-shape", Level::Warn,
            "Output sizes are literals and no argument's size is looked at") {}

void LiteralShapeCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows()) {
    if (Flow->looksAtSizes())
      continue;
    for (const ReturnFact &Return : Flow->returns())
      for (const TensorObject *Object : Return.Values)
        if (Return.Call == 1 && Object->IsShapeLiteral)
          Context.report(*this, Level::Warn, Object->Where,
                         "the output has the sizes of one case, which no argument is compared "
                         "with");
  }
}

} // namespace cupel
