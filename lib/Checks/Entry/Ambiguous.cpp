//===- Ambiguous.cpp - entry-ambiguous -------------------------------------===//

#include "Ambiguous.h"
#include "cupel/Checks/CheckContext.h"
#include "cupel/Frontend/SelectEntry.h"

namespace cupel {

AmbiguousCheck::AmbiguousCheck()
    : Check("entry-ambiguous", Level::Reject,
            "Several bound functions fit the problem and none is called as it says") {}

void AmbiguousCheck::run(CheckContext &Context) const {
  if (!Context.problem())
    return;
  const ParsedSubmission &Submission = Context.submission();
  const EntryChoice Choice = chooseEntry(Submission, *Context.problem());
  if (Choice.Code != id())
    return;
  Report *R = nullptr;
  for (size_t Index : Choice.Candidates) {
    const clang::FunctionDecl *F = Submission.EntryFunctions[Index];
    if (!F)
      continue;
    if (!R)
      R = &Context.report(*this, Level::Reject, F->getLocation(), Choice.Text);
    else
      Context.note(*R, F->getLocation(), "bound as '" + Submission.Entries[Index].BoundName + "'");
  }
}

} // namespace cupel
