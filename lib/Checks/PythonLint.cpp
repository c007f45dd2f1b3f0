//===- PythonLint.cpp - PythonSubmission to LintRecord ----------------------===//

#include "ArgumentWrites.h"
#include "Policy.h"

namespace cupel {

namespace {

/// Moves \p Place from the text of \p Extension to the `.py` file.
void moveToFile(SourcePlace &Place, const PythonSubmission &Submission,
                const PythonExtension &Extension) {
  if (Place.File != Submission.File)
    return;
  std::optional<SourcePlace> Origin = Extension.Source.placeOf(Place.Line, Place.Column);
  Place = Origin.value_or(Extension.Place);
  Place.File = Submission.File;
}

/// A problem in half precision asks for the conversion that is reported for all others.
bool isForHalf(const ProblemSpec *Problem) {
  return Problem && llvm::any_of(Problem->Inputs, [](const InputSpec &Input) {
           return Input.Tensor &&
                  (Input.Tensor->DType == "float16" || Input.Tensor->DType == "bfloat16");
         });
}

/// Checks that take an extension's function for the whole computation. In a `.py` file forward
/// passes output buffers as arguments, converts what it passes, and may call several functions one
/// after the other.
bool isAboutWholeCall(llvm::StringRef Id, const PythonSubmission &Submission) {
  if (Id == "work-input-modified" || Id.starts_with("entry-"))
    return true;
  return Submission.CalledFunctions.size() > 1 &&
         (Id == "work-constant-output" || Id == "work-copied-input" ||
          Id == "work-returned-input" || Id == "work-unread-input" || Id == "work-literal-shape");
}

/// Checks that find something missing: what is not seen in an extension may be in a source of it
/// that only running the file gives.
bool isAboutAbsence(llvm::StringRef Id) {
  return Id == "fallback-no-kernel" || Id == "work-unwritten-output" ||
         Id == "work-returned-input" || Id == "work-copied-input" || Id == "work-constant-output";
}

/// Why the file cannot be judged although Python reads it; empty when it can.
std::string whyNotJudged(const PythonSubmission &Submission) {
  if (Submission.State == ParseState::Failed)
    return "";
  if (!Submission.HasModel)
    return "there is no class 'ModelNew' or 'Model' with a forward in this file";
  if (Submission.Extensions.empty() && !Submission.OtherLanguages.empty())
    return "the kernels are written in " + Submission.OtherLanguages.front() +
           "; cupel judges CUDA C++";
  return "";
}

/// Whether none of the functions that \p Found depends on writes what it is given.
bool holds(const PythonFinding &Found, llvm::ArrayRef<ParsedSubmission> Parsed) {
  return llvm::all_of(Found.UnlessWrittenBy, [&](const ExtensionArgument &Given) {
    return Given.Extension < Parsed.size() &&
           leavesArgument(Parsed[Given.Extension], Given.Function, Given.Position);
  });
}

} // namespace

LintRecord CheckEngine::run(const PythonSubmission &Submission,
                            llvm::ArrayRef<ParsedSubmission> Parsed) const {
  LintRecord Record;
  Record.File = Submission.File;
  Record.Parse = Submission.State;
  Record.Policy = Options.Policy.Preset;
  Record.PolicySource = Options.Policy.Source;
  Record.Suppressed = Disabled;
  for (const CompilerMessage &M : Submission.Messages)
    Record.Findings.push_back({"python-error", Level::Error, M.Place, M.Message, {}});
  if (std::string Why = whyNotJudged(Submission); !Why.empty())
    Record.Findings.push_back({"not-judged", Level::Error, {Submission.File, 1, 1}, Why, {}});

  for (const PythonFinding &Found : Submission.Findings) {
    const bool IsOn = llvm::any_of(Enabled, [&](const Check *C) { return C->id() == Found.Id; });
    llvm::Expected<Level> Severity = parseLevel(Found.Level);
    if (!Severity) {
      llvm::consumeError(Severity.takeError());
      continue;
    }
    if (!IsOn || (Found.Id == "work-python-lower-precision" && isForHalf(Options.Problem)) ||
        !holds(Found, Parsed))
      continue;
    Report R;
    R.Result = {Found.Id, *Severity, Found.Place, Found.Message, {}};
    for (const auto &[Place, Message] : Found.Notes)
      R.Result.Notes.push_back({Place, Message});
    applyPolicy(Options.Policy, R);
    Record.Findings.push_back(std::move(R.Result));
  }

  for (size_t I = 0; I < Parsed.size() && I < Submission.Extensions.size(); ++I) {
    const PythonExtension &Extension = Submission.Extensions[I];
    LintRecord Part = run(Parsed[I]);
    Record.Seconds += Part.Seconds;
    Record.Kernels.insert(Record.Kernels.end(), Part.Kernels.begin(), Part.Kernels.end());
    if (Part.Parse != ParseState::Complete && Record.Parse == ParseState::Complete)
      Record.Parse = ParseState::Partial;
    for (Finding &F : Part.Findings) {
      if (isAboutWholeCall(F.Id, Submission))
        continue;
      moveToFile(F.Place, Submission, Extension);
      for (FindingNote &Note : F.Notes)
        moveToFile(Note.Place, Submission, Extension);
      if (Extension.HasUnknownSource && F.Severity == Level::Reject && isAboutAbsence(F.Id))
        F.Severity = Level::Warn;
      Record.Findings.push_back(std::move(F));
    }
  }
  sortAndUnify(Record.Findings);
  Record.Outcome = lintVerdict(Record);
  return Record;
}

} // namespace cupel
