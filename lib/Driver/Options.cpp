//===- Options.cpp - command line to options --------------------------------===//

#include "cupel/Driver/Options.h"
#include "cupel/Report/Version.h"
#include "cupel/Runner/Baseline.h"
#include "cupel/Support/Error.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"

using namespace cupel;
using namespace llvm::opt;
using llvm::StringRef;

namespace {

#define OPTTABLE_STR_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

// Bit 0 is LLVM's DefaultVis.
constexpr unsigned LintVis = 1 << 1, EvalVis = 1 << 2, ProblemVis = 1 << 3, ChecksVis = 1 << 4,
                   DoctorVis = 1 << 5, BaselineVis = 1 << 6, CacheVis = 1 << 7, ExplainVis = 1 << 8;

enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr OptTable::Info InfoTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

class CupelOptTable : public GenericOptTable {
public:
  CupelOptTable() : GenericOptTable(OptionStrTable, OptionPrefixesTable, InfoTable) {
    setDashDashParsing(true);
  }
};

llvm::Error usageError(const llvm::Twine &Message) { return makeError("usage", Message); }

/// Names that a value or an action may have.
using Names = llvm::ArrayRef<StringRef>;

// What is left after the options; each turns the arguments into one command's options.

using Arguments = InputArgList;
using Expected = llvm::Expected<Command>;

llvm::Error chooseValue(const Arguments &Args, OptSpecifier Id, Names Known, std::string &Value) {
  const Arg *A = Args.getLastArg(Id);
  if (!A)
    return llvm::Error::success();
  if (!llvm::is_contained(Known, StringRef(A->getValue())))
    return usageError("'" + A->getOption().getPrefixedName() + "' takes " +
                      llvm::join(Known, ", ") + ", not '" + A->getValue() + "'" +
                      didYouMean(A->getValue(), Known));
  Value = A->getValue();
  return llvm::Error::success();
}

template <typename Number>
llvm::Error numberValue(const Arguments &Args, OptSpecifier Id, StringRef What, Number &Value) {
  const Arg *A = Args.getLastArg(Id);
  if (!A)
    return llvm::Error::success();
  StringRef Text = A->getValue();
  bool Bad;
  if constexpr (std::is_floating_point_v<Number>)
    // Written so that NaN is refused too.
    Bad = Text.getAsDouble(Value) || !(Value > 0 && Value <= 1e6);
  else
    Bad = Text.getAsInteger(0, Value);
  if (Bad)
    return usageError("'" + A->getOption().getPrefixedName() + "' takes " + What + ", not '" +
                      Text + "'");
  return llvm::Error::success();
}

llvm::Error policyValue(const Arguments &Args, std::optional<std::string> &Policy) {
  std::string Text;
  if (auto E = chooseValue(Args, OPT_policy, {"strict", "partial"}, Text))
    return E;
  if (!Text.empty())
    Policy = Text;
  return llvm::Error::success();
}

std::vector<std::string> globList(const Arguments &Args) {
  std::vector<std::string> Globs;
  for (const std::string &Value : Args.getAllArgValues(OPT_checks))
    for (StringRef Glob : llvm::split(Value, ','))
      if (!Glob.trim().empty())
        Globs.push_back(Glob.trim().str());
  return Globs;
}

/// The values of `--baseline`; \p Names keeps its default when there are none.
llvm::Error baselineValues(const Arguments &Args, bool Packages, std::vector<std::string> &Names) {
  if (!Args.hasArg(OPT_baseline))
    return llvm::Error::success();
  Names = Args.getAllArgValues(OPT_baseline);
  std::vector<std::string> Known = baselineNames();
  if (Packages)
    llvm::erase_if(Known, [](StringRef Name) { return !parseBaseline(Name)->needsPackage(); });
  llvm::Error Errors = llvm::Error::success();
  for (const std::string &Name : Names)
    if (!llvm::is_contained(Known, Name))
      Errors = llvm::joinErrors(std::move(Errors),
                                usageError("'--baseline' takes " + llvm::join(Known, ", ") +
                                           ", not '" + Name + "'" + didYouMean(Name, Known)));
  return Errors;
}

constexpr llvm::StringLiteral TimeoutValues = "seconds, more than 0 and at most 1000000";

Expected parseLint(const Arguments &Args) {
  LintOptions Options;
  unsigned Jobs = 1;
  double TimeLimit = 0;
  llvm::Error Errors = llvm::Error::success();
  auto Add = [&](llvm::Error E) { Errors = llvm::joinErrors(std::move(Errors), std::move(E)); };
  Add(chooseValue(Args, OPT_format, {"text", "json", "sarif"}, Options.Format));
  Add(policyValue(Args, Options.Policy));
  Add(numberValue(Args, OPT_jobs, "a number of at least 1", Jobs));
  Add(numberValue(Args, OPT_timeout, TimeoutValues, TimeLimit));
  if (Errors)
    return Errors;
  if (Args.hasArg(OPT_timeout))
    Options.TimeLimit = TimeLimit;
  if (Jobs == 0)
    return usageError("'--jobs' takes a number of at least 1, not '0'");
  if (Args.hasArg(OPT_jobs))
    Options.Jobs = Jobs;
  Options.Submissions = Args.getAllArgValues(OPT_INPUT);
  Options.Problem = Args.getLastArgValue(OPT_problem);
  Options.Checks = globList(Args);
  if (Options.Submissions.empty())
    return usageError("no submission given; usage: cupel lint [OPTIONS] SUBMISSION...");
  return Options;
}

Expected parseEval(const Arguments &Args) {
  EvalOptions Options;
  std::string StopAfter;
  uint64_t Seed = 0;
  llvm::Error Errors = llvm::Error::success();
  auto Add = [&](llvm::Error E) { Errors = llvm::joinErrors(std::move(Errors), std::move(E)); };
  Add(chooseValue(Args, OPT_device, {"auto", "cuda", "cpu"}, Options.Device));
  Add(chooseValue(Args, OPT_profile, {"none", "basic", "full"}, Options.Profile));
  Add(chooseValue(Args, OPT_stop_after, {"lint", "build", "run", "profile"}, StopAfter));
  Add(chooseValue(Args, OPT_strategy, {"split", "nvcc-slim", "nvcc-full"}, Options.Strategy));
  Add(policyValue(Args, Options.Policy));
  Add(baselineValues(Args, /*Packages=*/false, Options.Baselines));
  Add(numberValue(Args, OPT_seed, "a number of 64 bits", Seed));
  Add(numberValue(Args, OPT_timeout, TimeoutValues, Options.TimeoutSeconds));
  if (Args.hasArg(OPT_isolation)) {
    if (auto Layers = parseIsolation(Args.getLastArgValue(OPT_isolation)))
      Options.Isolation = *Layers;
    else
      Add(Layers.takeError());
  }
  if (Options.Device == "cpu" && !Options.Strategy.empty())
    Add(usageError(
        "'--strategy' chooses how to build for a GPU; with '--device cpu' there is one way"));
  std::vector<std::string> Inputs = Args.getAllArgValues(OPT_INPUT);
  if (Inputs.size() != 2)
    Add(usageError("'eval' takes a problem and a submission, not " + llvm::Twine(Inputs.size()) +
                   " arguments; usage: cupel eval PROBLEM SUBMISSION [OPTIONS]"));
  if (Errors)
    return Errors;
  Options.Problem = Inputs[0];
  Options.Submission = Inputs[1];
  Options.StopAfter = parsePhase(StopAfter);
  if (Args.hasArg(OPT_seed))
    Options.Seed = Seed;
  Options.Checks = globList(Args);
  Options.Cases = Args.getAllArgValues(OPT_case);
  Options.Json = Args.getLastArgValue(OPT_json);
  Options.From = Args.getLastArgValue(OPT_from);
  return Options;
}

/// Takes the action, the first positional argument, off \p Inputs.
llvm::Expected<size_t> takeAction(StringRef CommandName, std::vector<std::string> &Inputs,
                                  Names Known) {
  if (Inputs.empty())
    return usageError("'" + CommandName + "' takes an action: " + llvm::join(Known, ", "));
  std::string Name = Inputs.front();
  const auto *Found = llvm::find(Known, Name);
  if (Found == Known.end())
    return usageError("unknown action '" + CommandName + " " + Name + "'" +
                      didYouMean(Name, Known));
  Inputs.erase(Inputs.begin());
  return Found - Known.begin();
}

/// Refuses a number of \p Inputs that is not within [Least, Most].
llvm::Error countInputs(StringRef What, const std::vector<std::string> &Inputs, size_t Least,
                        size_t Most, StringRef Usage) {
  if (Inputs.size() < Least)
    return usageError("'" + What + "' needs an argument; usage: cupel " + Usage);
  if (Inputs.size() > Most)
    return usageError("'" + What + "' takes no argument '" + Inputs[Most] + "'; usage: cupel " +
                      Usage);
  return llvm::Error::success();
}

Expected parseBaselines(const Arguments &Args) {
  BaselineOptions Options;
  Options.Problems = Args.getAllArgValues(OPT_INPUT);
  if (auto E = llvm::joinErrors(
          llvm::joinErrors(chooseValue(Args, OPT_format, {"text", "json"}, Options.Format),
                           baselineValues(Args, /*Packages=*/true, Options.Baselines)),
          llvm::joinErrors(numberValue(Args, OPT_timeout, TimeoutValues, Options.TimeoutSeconds),
                           countInputs("baseline", Options.Problems, 1, SIZE_MAX,
                                       "baseline PROBLEM... [OPTIONS]"))))
    return E;
  return Options;
}

Expected parseProblem(const Arguments &Args) {
  ProblemOptions Options;
  if (auto E = llvm::joinErrors(chooseValue(Args, OPT_format, {"text", "json"}, Options.Format),
                                numberValue(Args, OPT_timeout,
                                            "seconds, more than 0 and at most 1000000",
                                            Options.TimeoutSeconds)))
    return E;
  Options.All = Args.hasArg(OPT_all);
  Options.Problems = Args.getAllArgValues(OPT_INPUT);
  auto Action = takeAction("problem", Options.Problems, {"list", "show", "check"});
  if (!Action)
    return Action.takeError();
  Options.What = static_cast<ProblemOptions::Action>(*Action);
  struct {
    StringRef What;
    size_t Least, Most;
    StringRef Usage;
  } Counts[] = {{"problem list", 0, 0, "problem list"},
                {"problem show", 1, 1, "problem show PROBLEM"},
                {"problem check", Options.All ? 0u : 1u, SIZE_MAX,
                 "problem check [OPTIONS] PROBLEM... | FOLDER... | --all"}};
  const auto &C = Counts[*Action];
  bool Check = Options.What == ProblemOptions::Action::Check;
  for (OptSpecifier Id : {OPT_all, OPT_timeout})
    if (const Arg *A = Args.getLastArg(Id); A && !Check)
      return usageError("'" + C.What + "' takes no " + A->getOption().getPrefixedName());
  if (auto E = countInputs(C.What, Options.Problems, C.Least, C.Most, C.Usage))
    return E;
  return Options;
}

Expected parseChecks(const Arguments &Args) {
  ChecksOptions Options;
  if (auto E = chooseValue(Args, OPT_format, {"text", "json"}, Options.Format))
    return E;
  Options.Ids = Args.getAllArgValues(OPT_INPUT);
  auto Action = takeAction("checks", Options.Ids, {"list", "explain"});
  if (!Action)
    return Action.takeError();
  Options.What = static_cast<ChecksOptions::Action>(*Action);
  bool List = Options.What == ChecksOptions::Action::List;
  if (auto E = List ? countInputs("checks list", Options.Ids, 0, 0, "checks list")
                    : countInputs("checks explain", Options.Ids, 1, 1, "checks explain ID"))
    return E;
  return Options;
}

Expected parseDoctor(const Arguments &Args) {
  DoctorOptions Options;
  if (auto E = chooseValue(Args, OPT_format, {"text", "json"}, Options.Format))
    return E;
  if (auto E = countInputs("doctor", Args.getAllArgValues(OPT_INPUT), 0, 0, "doctor"))
    return E;
  return Options;
}

Expected parseExplain(const Arguments &Args) {
  std::vector<std::string> Records = Args.getAllArgValues(OPT_INPUT);
  if (auto E = countInputs("explain", Records, 1, 1, "explain RECORD"))
    return E;
  return ExplainOptions{Records.front()};
}

Expected parseCache(const Arguments &Args) {
  CacheOptions Options;
  if (auto E = chooseValue(Args, OPT_format, {"text", "json"}, Options.Format))
    return E;
  double Gigabytes = 0;
  if (auto E = numberValue(Args, OPT_max_gb, "GB, more than 0 and at most 1000000", Gigabytes))
    return E;
  if (Args.hasArg(OPT_max_gb))
    Options.MaxBytes = uint64_t(Gigabytes * 1e9);
  std::vector<std::string> Inputs = Args.getAllArgValues(OPT_INPUT);
  auto Action = takeAction("cache", Inputs, {"show", "prune"});
  if (!Action)
    return Action.takeError();
  Options.What = static_cast<CacheOptions::Action>(*Action);
  if (Options.What == CacheOptions::Action::Show && Options.MaxBytes)
    return usageError("'cache show' takes no '--max-gb'");
  StringRef What = *Action ? "cache prune" : "cache show";
  if (auto E = countInputs(What, Inputs, 0, 0, What))
    return E;
  return Options;
}

struct CommandInfo {
  StringRef Name;
  const char *Usage;
  const char *Summary;
  unsigned Visible;
  Expected (*Parse)(const Arguments &);
};

constexpr CommandInfo Commands[] = {
    {"lint", "cupel lint [OPTIONS] SUBMISSION...",
     "Judge the source of submissions; nothing is built or run", LintVis, parseLint},
    {"eval", "cupel eval PROBLEM SUBMISSION [OPTIONS]",
     "Lint, build, run, time and profile a submission, and judge it", EvalVis, parseEval},
    {"explain", "cupel explain RECORD", "Say what a record of eval means, and what to look at",
     ExplainVis, parseExplain},
    {"baseline", "cupel baseline PROBLEM... [OPTIONS]",
     "Compile baselines ahead, with torch's compiler", BaselineVis, parseBaselines},
    {"problem", "cupel problem list | show PROBLEM | check PROBLEM...|FOLDER...|--all [OPTIONS]",
     "List, print or check problems", ProblemVis, parseProblem},
    {"checks", "cupel checks list | explain ID [OPTIONS]",
     "List the linter's checks, or explain one", ChecksVis, parseChecks},
    {"cache", "cupel cache show | prune [OPTIONS]",
     "Say what the cache of headers and builds holds, or make it smaller", CacheVis, parseCache},
    {"doctor", "cupel doctor [OPTIONS]", "Say what of the machine is usable, and what is missing",
     DoctorVis, parseDoctor},
};

std::string overview() {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "cupel assays CUDA kernels: whether they are the author's own, right, fast, and why.\n\n"
        "Usage: cupel COMMAND [ARGUMENTS]\n\nCommands:\n";
  for (const CommandInfo &C : Commands)
    OS << "  " << llvm::left_justify(C.Name, 9) << C.Summary << '\n';
  OS << "\nA PROBLEM is a path or a name such as level1/relu. 'cupel COMMAND --help' tells the\n"
        "options of a command.\n\n"
        "Exit status: 0 accepted or done, 1 rejected, 2 could not judge.\n";
  return Text;
}

std::string commandHelp(const OptTable &Table, const CommandInfo &C) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Table.printHelp(OS, C.Usage, C.Summary, /*ShowHidden=*/false, /*ShowAllAliases=*/false,
                  Visibility(C.Visible));
  return Text;
}

llvm::Error unknownOptions(const OptTable &Table, const Arguments &Args, const CommandInfo &Of) {
  llvm::Error Errors = llvm::Error::success();
  for (const Arg *A : Args.filtered(OPT_UNKNOWN)) {
    std::string Text = A->getAsString(Args), Near;
    unsigned Distance = Table.findNearest(Text, Near, Visibility(Of.Visible));
    bool IsNear = Distance <= 1 + StringRef(Text).split('=').first.size() / 4;
    Errors = llvm::joinErrors(
        std::move(Errors),
        usageError("unknown option '" + Text + "'" +
                   (IsNear ? "; did you mean '" + Near + "'?"
                           : ("; 'cupel " + Of.Name + " --help' tells its options").str())));
  }
  return Errors;
}

Expected parseTopLevel(StringRef First) {
  if (First == "--version")
    return HelpText{std::string("cupel ") + CupelVersion + '\n'};
  if (First == "--help" || First == "-h")
    return HelpText{overview()};
  if (First.starts_with("-"))
    return usageError("unknown option '" + First + "'" +
                      didYouMean(First, Names{"--help", "--version"}));
  std::vector<StringRef> Known;
  for (const CommandInfo &C : Commands)
    Known.push_back(C.Name);
  return usageError("unknown command '" + First + "'" + didYouMean(First, Known));
}

} // namespace

llvm::Expected<Command> cupel::parseCommandLine(llvm::ArrayRef<const char *> Arguments) {
  if (Arguments.empty())
    return usageError("no command given; 'cupel --help' lists them");
  const auto *Found =
      llvm::find_if(Commands, [&](const CommandInfo &C) { return C.Name == Arguments.front(); });
  if (Found == std::end(Commands))
    return parseTopLevel(Arguments.front());

  CupelOptTable Table;
  Visibility Visible(Found->Visible);
  unsigned MissingIndex, MissingCount;
  InputArgList Args = Table.ParseArgs(Arguments.drop_front(), MissingIndex, MissingCount, Visible);
  if (Args.hasArg(OPT_help))
    return HelpText{commandHelp(Table, *Found)};
  if (auto E = unknownOptions(Table, Args, *Found))
    return E;
  if (MissingCount)
    return usageError("'" + StringRef(Args.getArgString(MissingIndex)) + "' needs a value");
  return Found->Parse(Args);
}
