//===- EvalInputs.cpp - what an evaluation starts from ----------------------===//

#include "EvalInputs.h"
#include "NamedProblem.h"
#include "cupel/Build/BuildEntry.h"
#include "cupel/Frontend/Parse.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Report/ReadRecord.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace cupel;
using llvm::StringRef;

namespace {

llvm::Expected<std::string> readSubmission(StringRef File) {
  llvm::Expected<std::string> Source = readTextFile(File, ParseOptions().SizeLimit);
  if (!Source)
    return Source.takeError();
  SourcePlace Place{File.str(), 0, 0};
  if (StringRef(*Source).trim().empty())
    return makeError("submission-empty", "the submission is empty", Place);
  if (llvm::sys::path::extension(File) == ".py")
    return makeError("submission-kind",
                     "this version takes CUDA submissions (.cu); Python ones are not supported",
                     Place);
  return Source;
}

/// All unknown names at once.
llvm::Error checkCases(const ProblemSpec &Problem, const std::vector<std::string> &Cases) {
  std::vector<StringRef> Known;
  for (const CaseSpec &Case : Problem.Cases)
    Known.push_back(Case.Name);
  llvm::Error Errors = llvm::Error::success();
  for (const std::string &Name : Cases)
    if (!llvm::is_contained(Known, Name))
      Errors = llvm::joinErrors(
          std::move(Errors),
          makeError("unknown-case", "problem '" + Problem.Id + "' has no case '" + Name + "'" +
                                        didYouMean(Name, Known) +
                                        " (cases: " + llvm::join(Known, ", ") + ")"));
  return Errors;
}

/// What a record says must still be so: phases that are done are not looked at again.
llvm::Error checkFits(const EvalRecord &From, const EvalRecord &Now, const EvalOptions &Options) {
  SourcePlace Place{Options.From, 0, 0};
  if (From.Problem != Now.Problem || From.ProblemHash != Now.ProblemHash)
    return makeError("record-other-problem",
                     "the record is of the problem '" + From.Problem + "'" +
                         (From.Problem == Now.Problem ? ", which has changed since" : "") +
                         "; evaluate anew without --from",
                     Place);
  if (From.SubmissionHash != Now.SubmissionHash)
    return makeError("record-other-submission",
                     "the record is of another text than '" + Now.Submission +
                         "' holds now; evaluate anew without --from",
                     Place);
  if (From.Policy.Preset != Now.Policy.Preset)
    return makeError("record-other-policy",
                     "the record was judged under the policy '" + From.Policy.Preset + "', not '" +
                         Now.Policy.Preset + "'; evaluate anew without --from",
                     Place);
  return llvm::Error::success();
}

llvm::Error goOnFrom(const EvalOptions &Options, EvalRecord &Record) {
  llvm::Expected<std::string> Text = readTextFile(Options.From, MaxRecordBytes);
  if (!Text)
    return Text.takeError();
  llvm::Expected<EvalRecord> From = readEvalRecord(*Text, Options.From);
  if (!From)
    return From.takeError();
  if (auto E = checkFits(*From, Record, Options))
    return E;
  Record.Lint = std::move(From->Lint);
  Record.Build = std::move(From->Build);
  Record.Run = std::move(From->Run);
  return Record.Run ? llvm::Error::success()
                    : checkLibrary(Record.Build, CacheDirectory::standard(), Options.From);
}

} // namespace

llvm::Expected<EvalInputs> cupel::readEvalInputs(const EvalOptions &Options) {
  // Both inputs are looked at before either error ends the command.
  llvm::Expected<ProblemSpec> Problem = readCheckedProblem(Options.Problem);
  llvm::Expected<std::string> Source = readSubmission(Options.Submission);
  if (!Problem || !Source)
    return llvm::joinErrors(Problem ? llvm::Error::success() : Problem.takeError(),
                            Source ? llvm::Error::success() : Source.takeError());
  if (auto E = checkCases(*Problem, Options.Cases))
    return E;
  llvm::Expected<std::string> ProblemHash = contentHashOfFile(Problem->File);
  if (!ProblemHash)
    return ProblemHash.takeError();

  EvalInputs Inputs;
  EvalRecord &Record = Inputs.Record;
  Record.Problem = Problem->Id;
  Record.ProblemHash = *ProblemHash;
  Record.Submission = Options.Submission;
  Record.SubmissionHash = contentHash(*Source);
  Record.Policy = Problem->Policy;
  if (Options.Policy)
    Record.Policy.Preset = *Options.Policy;
  if (!Options.From.empty())
    if (auto E = goOnFrom(Options, Record))
      return E;
  Inputs.Problem = std::move(*Problem);
  Inputs.Source = std::move(*Source);
  return Inputs;
}
