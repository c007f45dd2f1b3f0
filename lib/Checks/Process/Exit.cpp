//===- Exit.cpp - process-exit ---------------------------------------------===//

#include "Exit.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/DeclCXX.h"

namespace cupel {

ExitCheck::ExitCheck()
    : Check("process-exit", Level::Reject,
            "The process is ended as if it had succeeded, or from an odd place") {}

/// A destructor, or code that runs when the library is loaded or unloaded.
static bool endsFromOddPlace(const CodeUnit &Caller) {
  return Caller.RunsAtLoad || !Caller.function() ||
         llvm::isa<clang::CXXDestructorDecl>(Caller.function());
}

void ExitCheck::run(CheckContext &Context) const {
  forEachHostUse(Context, [&](const FunctionUse &Use, llvm::StringRef Name) {
    if (Name == "atexit" || Name == "on_exit" || Name == "at_quick_exit" ||
        Name == "__cxa_atexit") {
      Context.report(*this, Level::Reject, Use, "'" + Name + "' runs code at the process's end");
      return;
    }
    if (Name == "kill" || Name == "raise" || Name == "tgkill" || Name == "pthread_kill" ||
        Name == "killpg" || Name == "signal" || Name == "sigaction") {
      Context.report(*this, Level::Reject, Use, "'" + Name + "' sends or catches signals");
      return;
    }
    const bool Skips = Name == "_exit" || Name == "_Exit" || Name == "quick_exit";
    if (!Skips && Name != "exit")
      return;
    // An error macro ends the process with a status that says so; anything else hides a failure.
    std::optional<int64_t> Status = integerArgument(Use, 0, Context.ast());
    llvm::StringRef Why = endsFromOddPlace(*Use.Caller) ? " while objects are destroyed or made"
                          : Status == 0                 ? " with the status of success"
                          : Skips                       ? " without running destructors"
                                                        : "";
    if (!Why.empty())
      Context.report(*this, Level::Reject, Use, "'" + Name + "' ends the process" + Why);
  });
}

} // namespace cupel
