//===- SystemHeader.cpp - evasion-system-header ----------------------------===//

#include "SystemHeader.h"
#include "../Directives.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

SystemHeaderCheck::SystemHeaderCheck()
    : Check("evasion-system-header", Level::Reject,
            "Pragma that makes the file look like a system header") {}

void SystemHeaderCheck::run(CheckContext &Context) const {
  for (const Directive &D : findDirectives(Context.pass()))
    if (D.Name == "pragma" && llvm::StringRef(D.Text).contains("system_header"))
      Context.report(*this, Level::Reject, D.Location,
                     "this pragma asks tools to leave the file alone");
  for (clang::SourceLocation Where : findPragmaOperators(Context.pass(), "system_header"))
    Context.report(*this, Level::Reject, Where, "this pragma asks tools to leave the file alone");
}

} // namespace cupel
