//===- L2EvictLast.cpp - timing-l2-evict-last ------------------------------===//

#include "L2EvictLast.h"
#include "../AsmFinder.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

L2EvictLastCheck::L2EvictLastCheck()
    : Check("timing-l2-evict-last", Level::Warn,
            "Cache hints that keep data in the L2 cache: evict_last, createpolicy") {}

void L2EvictLastCheck::run(CheckContext &Context) const {
  for (const AsmUse &Use : findAsm(Context))
    if (llvm::StringRef Text = Use.Text; Text.contains("evict_last"))
      Context.report(*this, Level::Warn, Use.Location, "PTX '" + Text.take_until([](char C) {
        return C == ' ';
      }) + "' asks the L2 cache to keep this data, perhaps beyond a flush");
}

} // namespace cupel
