//===- Signature.cpp - entry-signature -------------------------------------===//

#include "Signature.h"
#include "cupel/Checks/CheckContext.h"
#include "cupel/Frontend/SelectEntry.h"
#include "llvm/ADT/STLExtras.h"

namespace cupel {

SignatureCheck::SignatureCheck()
    : Check("entry-signature", Level::Reject,
            "The entry cannot be called with the problem's arguments") {}

/// Where the problem's file defines its tensor or number \p Name.
static std::optional<SourcePlace> placeIn(const ProblemSpec &Problem, llvm::StringRef Name) {
  for (const InputSpec &Input : Problem.Inputs)
    if (Input.name() == Name)
      return Input.Tensor ? Input.Tensor->Place : Input.Scalar->Place;
  for (const TensorSpec &Parameter : Problem.Parameters)
    if (Parameter.Name == Name)
      return Parameter.Place;
  return std::nullopt;
}

void SignatureCheck::run(CheckContext &Context) const {
  const ProblemSpec *Problem = Context.problem();
  if (!Problem)
    return;
  const ParsedSubmission &Submission = Context.submission();
  const EntryChoice Choice = chooseEntry(Submission, *Problem);
  const clang::FunctionDecl *Entry =
      Choice.Meant ? Submission.EntryFunctions[*Choice.Meant] : nullptr;
  if (!Entry)
    return;
  const bool IsCallable = Choice.fitting().has_value();
  // A type that Clang could not read is taken for int.
  const bool IsRead = Submission.State == ParseState::Complete;
  for (const EntryMistake &Mistake : Choice.Mistakes) {
    clang::SourceLocation Where = Entry->getLocation();
    if (Mistake.Argument && *Mistake.Argument < Entry->getNumParams())
      Where = Entry->getParamDecl(*Mistake.Argument)->getLocation();
    // One finding a place: findings of one check at one place are one.
    if (Mistake.Code == "entry-result" && Entry->getReturnTypeSourceRange().isValid())
      Where = Entry->getReturnTypeSourceRange().getBegin();
    Report &R = Context.report(*this, IsCallable || !IsRead ? Level::Warn : Level::Reject, Where,
                               Mistake.Text);
    if (!Mistake.Argument)
      continue;
    const std::string &Name = Problem->EntryArguments[*Mistake.Argument];
    if (std::optional<SourcePlace> Place = placeIn(*Problem, Name))
      R.Result.Notes.push_back({*Place, "the problem defines '" + Name + "' here"});
  }
}

} // namespace cupel
