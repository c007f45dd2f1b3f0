//===- ArgumentWrites.cpp - whether a bound function writes an argument -----===//

#include "ArgumentWrites.h"
#include "Flow/HostFlow.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Decl.h"

using namespace clang;

namespace cupel {

bool leavesArgument(const ParsedSubmission &Submission, llvm::StringRef Name, unsigned Position) {
  if (Submission.State != ParseState::Complete || !Submission.Host)
    return false;
  CheckContext Context(Submission, *Submission.Host, nullptr);
  auto Leaves = [&](const FunctionDecl *F) {
    if (!F)
      return false;
    HostFlow Flow(Context);
    return Flow.run(*F) && llvm::any_of(Flow.inputs(), [&](const TensorObject *Input) {
             // What is kept may be written by a later call of another function.
             return Input->Parameter->getFunctionScopeIndex() == Position && !Input->MayBeWritten &&
                    Input->KeptAt.isInvalid();
           });
  };
  bool IsBound = false;
  for (size_t I = 0; I < Submission.Entries.size(); ++I) {
    if (Submission.Entries[I].BoundName != Name)
      continue;
    IsBound = true;
    if (!Leaves(Submission.EntryFunctions[I]))
      return false;
  }
  return IsBound;
}

} // namespace cupel
