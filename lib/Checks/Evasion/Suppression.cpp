//===- Suppression.cpp - evasion-suppression -------------------------------===//

#include "Suppression.h"
#include "../Directives.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

SuppressionCheck::SuppressionCheck()
    : Check("evasion-suppression", Level::Note, "Comment that asks a linter to look away: NOLINT") {
}

void SuppressionCheck::run(CheckContext &Context) const {
  for (clang::SourceLocation Location : findSuppressions(Context.pass()))
    Context.report(*this, Level::Note, Location,
                   "a submission cannot switch off checks; this comment has no effect");
}

} // namespace cupel
