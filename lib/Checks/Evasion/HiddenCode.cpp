//===- HiddenCode.cpp - evasion-hidden-code --------------------------------===//

#include "HiddenCode.h"
#include "CompilerText.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

HiddenCodeCheck::HiddenCodeCheck()
    : Check("evasion-hidden-code", Level::Reject,
            "Code that depends on which compiler reads the file") {}

void HiddenCodeCheck::run(CheckContext &Context) const {
  for (const CompilerText &Text : findCompilerText(Context)) {
    const std::string What = Text.Macro.empty() ? "this code" : "'" + Text.Macro + "'";
    Context.report(*this, Text.IsHost ? Level::Reject : Level::Warn, Text.Where,
                   What +
                       " is not the same for the compiler that judges and the one that builds: '" +
                       Text.Cause + "' decides");
  }
}

} // namespace cupel
