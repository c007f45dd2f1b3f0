//===- HostAsm.cpp - evasion-host-asm --------------------------------------===//

#include "HostAsm.h"
#include "../AsmFinder.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

HostAsmCheck::HostAsmCheck()
    : Check("evasion-host-asm", Level::Reject, "Inline assembly in host code") {}

void HostAsmCheck::run(CheckContext &Context) const {
  for (const AsmUse &Use : findAsm(Context))
    if (Use.IsHost && !Use.Text.empty())
      Context.report(*this, Level::Reject, Use.Location,
                     "assembly in host code can call and change anything");
}

} // namespace cupel
