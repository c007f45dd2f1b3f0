//===- LintCommand.cpp - cupel lint -----------------------------------------===//

#include "NamedProblem.h"
#include "cupel/Checks/CheckEngine.h"
#include "cupel/Driver/Commands.h"
#include "cupel/Frontend/Guarded.h"
#include "cupel/Frontend/Parse.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Report/LintReport.h"
#include "llvm/Support/ThreadPool.h"
#include <future>

namespace cupel {

namespace {

/// One file's result and what goes to stderr about it.
struct LintResult {
  LintedFile File;
  std::string Errors;
};

/// All that the work on a file needs. Shared with it, since work that goes over its time is left
/// alone and may outlive the command.
struct LintSetup {
  std::optional<ProblemSpec> Problem;
  LintPolicy Policy;
  CheckRegistry Registry;
  std::optional<CheckEngine> Engine;
  ParseOptions Parse;
  std::vector<std::string> ArgumentTypes; ///< Of the problem, for `.py` files.

  const ProblemSpec *problem() const { return Problem ? &*Problem : nullptr; }
};

class Linter {
public:
  explicit Linter(const LintSetup &Setup) : Setup(Setup) {}

  LintResult lint(const std::string &Path) const {
    return llvm::StringRef(Path).ends_with(".py") ? lintPython(Path) : lintCuda(Path);
  }

  LintResult unjudged(llvm::StringRef Path, llvm::Error E) const {
    LintResult Result;
    llvm::raw_string_ostream Text(Result.Errors);
    std::vector<Reason> Reasons;
    llvm::handleAllErrors(std::move(E), [&](const llvm::ErrorInfoBase &Info) {
      Info.log(Text);
      Text << '\n';
      const bool IsOurs = Info.isA<CupelError>();
      const auto *Ours = IsOurs ? static_cast<const CupelError *>(&Info) : nullptr;
      Reasons.push_back(
          {Ours ? Ours->code().str() : "internal", Ours ? Ours->text().str() : Info.message()});
    });
    Result.File.Record = unjudgedRecord(Path, Setup.Policy, Reasons);
    return Result;
  }

private:
  /// As eval says it: nothing was written, so there is nothing to accept or to reject.
  static llvm::Error emptyError(llvm::StringRef Path) {
    return makeError("submission-empty", "the submission is empty", {Path.str(), 0, 0});
  }

  LintResult lintCuda(const std::string &Path) const {
    LintResult Result;
    llvm::Expected<ParsedSubmission> Parsed = parseSubmission(Path, Setup.Parse);
    if (!Parsed)
      return unjudged(Path, Parsed.takeError());
    if (llvm::StringRef(Parsed->Source).trim().empty())
      return unjudged(Path, emptyError(Path));
    Result.File.Source = Parsed->Source;
    std::optional<LintRecord> Record;
    if (auto Crash = runGuarded([&] { Record = Setup.Engine->run(*Parsed); }))
      return unjudged(Path, makeError("lint-crash", "the linter crashed on this file: " + *Crash,
                                      {Path, 0, 0}));
    Result.File.Record = std::move(*Record);
    return Result;
  }

  LintResult lintPython(const std::string &Path) const {
    llvm::Expected<PythonSubmission> Submission =
        inspectPython(Path, Setup.Parse.Tools, Setup.ArgumentTypes);
    if (!Submission)
      return unjudged(Path, Submission.takeError());
    if (llvm::StringRef(Submission->Source).trim().empty())
      return unjudged(Path, emptyError(Path));
    std::vector<ParsedSubmission> Parsed;
    for (const PythonExtension &Extension : Submission->Extensions) {
      llvm::Expected<ParsedSubmission> Part = parseSource(Path, Extension.Source.Text, Setup.Parse);
      if (!Part)
        return unjudged(Path, Part.takeError());
      keepCalledEntries(*Submission, *Part);
      Parsed.push_back(std::move(*Part));
    }
    LintResult Result;
    std::optional<LintRecord> Record;
    if (auto Crash = runGuarded([&] { Record = Setup.Engine->run(*Submission, Parsed); }))
      return unjudged(Path, makeError("lint-crash", "the linter crashed on this file: " + *Crash,
                                      {Path, 0, 0}));
    Result.File.Record = std::move(*Record);
    Result.File.Source = std::move(Submission->Source);
    return Result;
  }

  const LintSetup &Setup;
};

LintResult lintLimited(const std::shared_ptr<const LintSetup> &Setup, const std::string &Path) {
  auto Result = std::make_shared<LintResult>();
  if (runLimited([=] { *Result = Linter(*Setup).lint(Path); }, Setup->Parse))
    return std::move(*Result);
  return Linter(*Setup).unjudged(Path, timeoutError(Path, Setup->Parse));
}

/// The worst of all: a file that could not be judged weighs most, so that a caller who asks about
/// many files never takes silence for consent.
int exitStatus(llvm::ArrayRef<LintedFile> Files) {
  int Status = ExitDone;
  for (const LintedFile &File : Files) {
    Verdict V = File.Record.Outcome;
    Status = std::max<int>(Status, V == Verdict::Accepted   ? ExitDone
                                   : V == Verdict::Rejected ? ExitRejected
                                                            : ExitCouldNotJudge);
  }
  return Status;
}

/// Lints in parallel and hands each result to \p Take in the order of the command line, as soon
/// as it and all before it are there.
void lintAll(const std::shared_ptr<const LintSetup> &Setup, const LintOptions &Options,
             llvm::function_ref<void(LintResult)> Take) {
  llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Options.Jobs));
  std::vector<std::shared_future<LintResult>> Results;
  for (const std::string &Path : Options.Submissions)
    Results.push_back(Pool.async([&Setup, &Path] { return lintLimited(Setup, Path); }));
  for (auto &Result : Results) {
    Take(Result.get());
    Result = {};
  }
}

llvm::Expected<std::optional<ProblemSpec>> problemOf(const LintOptions &Options) {
  if (Options.Problem.empty())
    return std::nullopt;
  llvm::Expected<ProblemSpec> Problem = readCheckedProblem(Options.Problem);
  if (!Problem)
    return Problem.takeError();
  return std::optional<ProblemSpec>(std::move(*Problem));
}

llvm::Expected<std::shared_ptr<LintSetup>> makeSetup(const LintOptions &Options) {
  auto Setup = std::make_shared<LintSetup>();
  if (auto E = problemOf(Options).moveInto(Setup->Problem))
    return E;
  if (auto E = makeLintPolicy(Setup->problem(), Options.Policy).moveInto(Setup->Policy))
    return E;
  registerAllChecks(Setup->Registry);
  llvm::Expected<CheckEngine> Engine =
      CheckEngine::create(Setup->Registry, {Setup->Policy, Options.Checks, Setup->problem()});
  if (!Engine)
    return Engine.takeError();
  Setup->Engine.emplace(std::move(*Engine));
  Setup->Parse.Tools = findToolchain();
  if (Options.TimeLimit)
    Setup->Parse.TimeLimit = *Options.TimeLimit;
  if (const ProblemSpec *Problem = Setup->problem()) {
    Setup->Parse.EntryName = Problem->EntryName;
    for (const InputSpec &Input : Problem->Inputs)
      Setup->ArgumentTypes.push_back(Input.Tensor ? Input.Tensor->DType : "-");
  }
  return Setup;
}

} // namespace

llvm::Expected<int> lintCommand(const LintOptions &Options, llvm::raw_ostream &OS) {
  llvm::Expected<std::shared_ptr<LintSetup>> Setup = makeSetup(Options);
  if (!Setup)
    return Setup.takeError();
  const bool IsText = Options.Format == "text";
  std::vector<LintedFile> Files;
  lintAll(*Setup, Options, [&](LintResult Result) {
    if (IsText && Result.Errors.empty())
      writeLintText(Result.File, Options.Colour, OS);
    else if (IsText)
      OS << lintSummary(Result.File.Record) << '\n';
    OS.flush();
    llvm::errs() << Result.Errors;
    Files.push_back(std::move(Result.File));
  });
  if (Options.Format == "json")
    writeLintJson(Files, OS);
  else if (Options.Format == "sarif")
    writeSarif(Files, (*Setup)->Registry, OS);
  return exitStatus(Files);
}

} // namespace cupel
