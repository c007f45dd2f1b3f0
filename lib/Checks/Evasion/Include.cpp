//===- Include.cpp - evasion-include ---------------------------------------===//

#include "Include.h"
#include "../Directives.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/Lex/Preprocessor.h"

namespace cupel {

IncludeCheck::IncludeCheck()
    : Check("evasion-include", Level::Reject, "Include of something else than a known header") {}

/// Of what is neither `<...>` nor `"..."`: a macro's name. The rest, such as `'x.cu'` and
/// `u8"x.cu"`, is an error of the compiler.
static bool startsWithName(llvm::StringRef Text) {
  const llvm::StringRef Name = Text.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  return !Name.empty() && !llvm::isDigit(Name[0]) && !Text.substr(Name.size()).starts_with("\"");
}

void IncludeCheck::run(CheckContext &Context) const {
  for (const Directive &D : findDirectives(Context.pass())) {
    if (D.Name != "include" && D.Name != "include_next" && D.Name != "import" && D.Name != "embed")
      continue;
    llvm::StringRef Text = llvm::StringRef(D.Text).trim();
    if (D.Name == "embed") {
      Context.report(*this, Level::Reject, D.Location, "'#embed' brings in a file's bytes");
    } else if (startsWithName(Text)) {
      Context.report(*this, Level::Reject, D.Location,
                     "the name of the included file is made by a macro");
    } else if (llvm::StringRef Name = Text.substr(1); // Text is empty where a name is missing.
               Name.starts_with("/") || Name.starts_with("..")) {
      Context.report(*this, Level::Reject, D.Location,
                     "this includes a file by its place on the machine, not a known header");
    }
  }
}

} // namespace cupel
