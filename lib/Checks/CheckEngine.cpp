//===- CheckEngine.cpp - ParsedSubmission to LintRecord ---------------------===//

#include "cupel/Checks/CheckEngine.h"
#include "ChosenEntry.h"
#include "Policy.h"
#include "cupel/Checks/CheckContext.h"
#include "cupel/Support/Text.h"
#include "llvm/Support/GlobPattern.h"
#include <chrono>

namespace cupel {

llvm::Expected<LintPolicy> makeLintPolicy(const ProblemSpec *Problem,
                                          const std::optional<std::string> &Preset) {
  LintPolicy Policy;
  if (Problem) {
    Policy.Preset = Problem->Policy.Preset;
    Policy.Source = "problem";
    Policy.Libraries = Problem->Policy.Libraries;
    Policy.Operators = Problem->Policy.Operators;
    Policy.Suppressed = Problem->Policy.Suppressed;
  }
  if (Preset) {
    if (*Preset != "strict" && *Preset != "partial")
      return makeError("unknown-policy",
                       "unknown policy '" + *Preset + "'; there are 'strict' and 'partial'");
    Policy.Preset = *Preset;
    Policy.Source = "command line";
  }
  return Policy;
}

namespace {

/// One element of --checks.
struct CheckGlob {
  bool SwitchesOn = true;
  llvm::GlobPattern Pattern;
};

llvm::Expected<CheckGlob> parseGlob(const CheckRegistry &Registry, llvm::StringRef Text) {
  CheckGlob Result;
  llvm::StringRef Name = Text;
  Result.SwitchesOn = !Name.consume_front("-");
  llvm::Expected<llvm::GlobPattern> Pattern = llvm::GlobPattern::create(Name);
  if (!Pattern)
    return makeError("unknown-check",
                     "check glob '" + Text + "': " + llvm::toString(Pattern.takeError()));
  Result.Pattern = std::move(*Pattern);
  if (llvm::none_of(Registry.checks(),
                    [&](const auto &C) { return Result.Pattern.match(C->id()); })) {
    std::string Nearest = Registry.nearest(Name);
    if (Nearest.empty() && Name.ends_with("-*")) {
      std::vector<std::string> Families;
      for (const auto &C : Registry.checks())
        Families.push_back((C->id().split('-').first + "-*").str());
      Nearest = nearestName(Name, Families).value_or("");
    }
    return makeError("unknown-check", "no check is named '" + Name + "'" +
                                          (Nearest.empty() ? "; 'cupel checks list' prints all"
                                                           : "; did you mean '" + Nearest + "'?"));
  }
  return Result;
}

llvm::Expected<std::vector<CheckGlob>> parseGlobs(const CheckRegistry &Registry,
                                                  llvm::ArrayRef<std::string> Lists) {
  std::vector<CheckGlob> Globs;
  llvm::Error Errors = llvm::Error::success();
  for (llvm::StringRef List : Lists) {
    llvm::SmallVector<llvm::StringRef, 4> Items;
    List.split(Items, ',', -1, false);
    for (llvm::StringRef Item : Items) {
      llvm::Expected<CheckGlob> Glob = parseGlob(Registry, Item.trim());
      if (Glob)
        Globs.push_back(std::move(*Glob));
      else
        Errors = llvm::joinErrors(std::move(Errors), Glob.takeError());
    }
  }
  if (Errors)
    return Errors;
  return Globs;
}

/// Compiler errors as findings, with the compiler's notes to each; both passes say the same once.
void addCompilerErrors(const ParsedSubmission &Submission, std::vector<Finding> &Findings) {
  bool AfterError = false;
  for (const CompilerMessage &M : Submission.Messages) {
    if (M.Severity == CompilerMessage::Level::Error) {
      Findings.push_back({"compiler-error", Level::Error, M.Place, M.Message, {}});
      AfterError = true;
    } else if (M.Severity == CompilerMessage::Level::Note && AfterError) {
      Findings.back().Notes.push_back({M.Place, M.Message});
    } else {
      AfterError = false;
    }
  }
}

} // namespace

std::string globMistake(const CheckRegistry &Registry, const std::string &Glob) {
  llvm::Expected<std::vector<CheckGlob>> Globs = parseGlobs(Registry, Glob);
  std::string Text;
  if (!Globs)
    for (const Reason &Why : takeReasons(Globs.takeError()))
      Text += (Text.empty() ? "" : "; ") + Why.Text;
  return Text;
}

llvm::Expected<CheckEngine> CheckEngine::create(const CheckRegistry &Registry,
                                                CheckOptions Options) {
  llvm::Expected<std::vector<CheckGlob>> Chosen = parseGlobs(Registry, Options.Globs);
  if (!Chosen)
    return Chosen.takeError();
  llvm::Expected<std::vector<CheckGlob>> Suppressed =
      parseGlobs(Registry, Options.Policy.Suppressed);
  if (!Suppressed)
    return withContext(Suppressed.takeError(), "policy");
  CheckEngine Engine(std::move(Options));
  for (const auto &C : Registry.checks()) {
    // As in clang-tidy, a list that starts by switching on means just that list.
    bool IsOn = Chosen->empty() || !Chosen->front().SwitchesOn;
    for (const CheckGlob &G : *Chosen)
      if (G.Pattern.match(C->id()))
        IsOn = G.SwitchesOn;
    for (const CheckGlob &G : *Suppressed)
      IsOn &= !G.Pattern.match(C->id());
    if (IsOn)
      Engine.Enabled.push_back(C.get());
    else
      Engine.Disabled.push_back(C->id().str());
  }
  return Engine;
}

LintRecord CheckEngine::run(const ParsedSubmission &Submission) const {
  auto Start = std::chrono::steady_clock::now();
  LintRecord Record;
  Record.File = Submission.File;
  Record.Parse = Submission.State;
  Record.Policy = Options.Policy.Preset;
  Record.PolicySource = Options.Policy.Source;
  Record.Suppressed = Disabled;
  for (const KernelInfo &K : Submission.Kernels)
    Record.Kernels.push_back(K.Name);
  Record.Entries = Submission.Entries;
  if (auto Index = chosenEntry(Submission, Options.Problem))
    Record.Entry = Submission.Entries[*Index];

  addCompilerErrors(Submission, Record.Findings);
  for (const ParsedPass *Pass : {Submission.Host.get(), Submission.Device.get()}) {
    if (!Pass)
      continue;
    CheckContext Context(Submission, *Pass, Options.Problem);
    for (const Check *C : Enabled)
      if (Pass->kind() == PassKind::Host || C->wantsDevicePass())
        C->run(Context);
    for (auto &R : Context.takeReports()) {
      applyPolicy(Options.Policy, *R);
      Record.Findings.push_back(std::move(R->Result));
    }
  }
  sortAndUnify(Record.Findings);
  Record.Outcome = lintVerdict(Record);
  std::chrono::duration<double> Checked = std::chrono::steady_clock::now() - Start;
  Record.Seconds = Submission.HostSeconds + Submission.DeviceSeconds + Checked.count();
  return Record;
}

Verdict lintVerdict(const LintRecord &Record) {
  auto Has = [&](Level L) {
    return llvm::any_of(Record.Findings, [&](const Finding &F) { return F.Severity == L; });
  };
  if (Has(Level::Reject))
    return Verdict::Rejected;
  return Record.Parse == ParseState::Complete && !Has(Level::Error) ? Verdict::Accepted
                                                                    : Verdict::CouldNotJudge;
}

LintRecord unjudgedRecord(llvm::StringRef File, const LintPolicy &Policy,
                          const std::vector<Reason> &Reasons) {
  LintRecord Record;
  Record.File = File.str();
  Record.Policy = Policy.Preset;
  Record.PolicySource = Policy.Source;
  for (const Reason &R : Reasons)
    Record.Findings.push_back({R.Code, Level::Error, {File.str(), 0, 0}, R.Text, {}});
  return Record;
}

} // namespace cupel
