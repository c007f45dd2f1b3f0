//===- Missing.cpp - entry-missing -----------------------------------------===//

#include "Missing.h"
#include "cupel/Checks/CheckContext.h"
#include "cupel/Frontend/SelectEntry.h"
#include "clang/Basic/SourceManager.h"

namespace cupel {

MissingCheck::MissingCheck()
    : Check("entry-missing", Level::Reject,
            "No function is bound, or none under the name that the problem gives") {}

void MissingCheck::run(CheckContext &Context) const {
  const ParsedSubmission &Submission = Context.submission();
  const clang::SourceManager &SM = Context.sourceManager();
  const clang::SourceLocation Start = SM.getLocForStartOfFile(SM.getMainFileID());
  if (!Context.problem()) {
    // One file of several, perhaps: its binding may stand in another.
    if (Submission.Entries.empty())
      Context.report(*this, Level::Note, Start,
                     "no function is bound, so every function counts as called");
    return;
  }
  const EntryChoice Choice = chooseEntry(Submission, *Context.problem());
  if (Choice.Code != id())
    return;
  // What Clang could not read may hold the binding; nvcc decides.
  const bool IsRead = Submission.State == ParseState::Complete;
  Report &R = Context.report(*this, IsRead ? Level::Reject : Level::Note, Start, Choice.Text);
  for (size_t I = 0; I != Submission.Entries.size(); ++I)
    if (const clang::FunctionDecl *F = Submission.EntryFunctions[I])
      Context.note(R, F->getLocation(), "bound as '" + Submission.Entries[I].BoundName + "'");
}

} // namespace cupel
