//===- ProblemCheckCommand.cpp - cupel problem check P... -------------------===//

#include "NamedProblem.h"
#include "ProblemCommand.h"
#include "ProblemMemory.h"
#include "cupel/Problem/ProblemCheck.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Runner/ReferenceChecker.h"
#include "cupel/Support/Text.h"
#include "cupel/Support/Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cupel;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

class ProblemChecking {
public:
  ProblemChecking(const ProblemOptions &Options, llvm::raw_ostream &OS)
      : AsJson(Options.Format == "json"), OS(OS), Checker(workers(), Options.TimeoutSeconds) {}

  void check(const std::string &Name) {
    ProblemNotes Notes;
    llvm::Expected<ProblemSpec> Problem = readCheckedProblem(Name, &Notes);
    if (!Problem)
      return invalid(Name, Problem.takeError());
    ProblemJudgement Judgement = checkProblem(
        *Problem, Notes,
        [this](const ProblemSpec &P, const CaseSpec &Case) { return Checker.check(P, Case); },
        // The device is known once the first, smallest case has run.
        [this](const CaseSpec &Case) {
          return !Case.IsBenchmark || (!Checker.device().empty() && Checker.device() != "cpu");
        });
    Failed |= !Judgement.Failures.empty();
    NotRun |= !Judgement.NotRun.empty();
    Mutations += Judgement.countedMutations();
    Refused += Judgement.refusedMutations();
    Perfect += Judgement.NotRun.empty() && Judgement.Failures.empty() &&
               Judgement.countedMutations() == Judgement.refusedMutations();
    ++Count;
    AsJson ? add(*Problem, Judgement) : print(*Problem, Judgement);
  }

  /// For a name that stands for no file.
  void invalid(const std::string &Name, llvm::Error E) {
    ++Count;
    NotRun = true;
    std::vector<PlacedReason> Mistakes = takePlacedReasons(std::move(E));
    if (AsJson) {
      Array Errors;
      for (const PlacedReason &Why : Mistakes)
        Errors.push_back(toJson(Why));
      All.push_back(Object{{"id", Name}, {"state", "invalid"}, {"errors", std::move(Errors)}});
    } else {
      OS << printableLine(Name) << ": invalid\n";
    }
    for (PlacedReason &Why : Mistakes)
      Errors = llvm::joinErrors(std::move(Errors), makeError(Why.Code, Why.Text, Why.Place));
  }

  llvm::Expected<int> finish() {
    if (AsJson)
      OS << llvm::formatv("{0:2}", Value(std::move(All))) << '\n';
    else if (Count > 1)
      OS << Count << " problems; " << Refused << " of " << Mutations
         << " wrong outputs refused, all of them in " << Perfect << " problems\n";
    if (Errors)
      return std::move(Errors);
    return NotRun ? ExitCouldNotJudge : Failed ? ExitRejected : ExitDone;
  }

  ~ProblemChecking() { llvm::consumeError(std::move(Errors)); }

private:
  static WorkerOptions workers() {
    WorkerOptions Options;
    Options.Worker = findToolchain().Worker;
    return Options;
  }

  void add(const ProblemSpec &Problem, const ProblemJudgement &Judgement) {
    Value Result = toJson(Judgement);
    if (const CaseSpec *Case = Problem.benchmarkCase())
      Result.getAsObject()->try_emplace("benchmark_memory",
                                        memoryNeed(Checker, Problem, *Case).json());
    Result.getAsObject()->try_emplace("id", Problem.Id);
    Result.getAsObject()->try_emplace("device", Checker.device());
    All.push_back(std::move(Result));
  }

  void print(const ProblemSpec &Problem, const ProblemJudgement &Judgement) {
    OS << printableLine(Problem.Id) << ": ";
    if (!Judgement.NotRun.empty())
      OS << "reference not run\n";
    else
      printResult(Problem, Judgement);
    for (const PlacedReason &Why : Judgement.NotRun)
      printIndented(Why.message());
    for (const Reason &Why : Judgement.Failures)
      printIndented("error: " + Why.Text);
    for (const Reason &Why : Judgement.Warnings)
      printIndented("warning: " + Why.Text);
    printNotApplicable(Judgement);
  }

  void printIndented(llvm::StringRef Text) {
    llvm::SmallVector<llvm::StringRef, 4> Lines;
    Text.split(Lines, '\n');
    for (llvm::StringRef Line : Lines)
      OS << "    " << Line << '\n';
  }

  /// `half, row_mean (the reason); input_copy (another)`.
  void printNotApplicable(const ProblemJudgement &Judgement) {
    std::vector<std::pair<std::string, std::vector<std::string>>> ByReason;
    for (const MutationResult &Mutation : Judgement.Mutations) {
      if (Mutation.State != MutationState::NotApplicable)
        continue;
      auto Known = llvm::find_if(ByReason,
                                 [&](const auto &Group) { return Group.first == Mutation.Reason; });
      if (Known == ByReason.end())
        Known = ByReason.insert(ByReason.end(), {Mutation.Reason, {}});
      Known->second.push_back(mutationName(Mutation, Judgement.Cases.front().Report.Shapes.size()));
    }
    std::vector<std::string> Groups;
    for (const auto &[Why, Names] : ByReason)
      Groups.push_back(llvm::join(Names, ", ") + " (" + Why + ")");
    if (!Groups.empty())
      OS << "    does not apply: " << llvm::join(Groups, "; ") << '\n';
  }

  void printResult(const ProblemSpec &Problem, const ProblemJudgement &Judgement) {
    const ReferenceReport &First = Judgement.Cases.front().Report;
    OS << (Judgement.Failures.empty() ? "ok" : "no good") << "; " << Judgement.Cases.size()
       << (Judgement.Cases.size() == 1 ? " case, " : " cases, ")
       << (First.DTypes.size() == 1 ? "output " : "outputs ") << llvm::join(First.DTypes, " and ")
       << ", " << Judgement.refusedMutations() << " of " << Judgement.countedMutations()
       << " wrong outputs refused";
    if (Judgement.ErrorShare)
      OS << ", own error " << formatSignificant(100 * *Judgement.ErrorShare, 2)
         << " % of the allowed";
    if (const CaseSpec *Case = Problem.benchmarkCase()) {
      MemoryNeed Need = memoryNeed(Checker, Problem, *Case);
      OS << ", " << Need.text() << " at benchmark size";
      if (!Need.PeakBytes)
        OS << " (no estimate: " << Need.Reason << ")";
    }
    OS << '\n';
  }

  bool AsJson;
  llvm::raw_ostream &OS;
  ReferenceChecker Checker;
  llvm::Error Errors = llvm::Error::success();
  Array All;
  bool Failed = false, NotRun = false;
  unsigned Count = 0, Perfect = 0, Mutations = 0, Refused = 0;
};

} // namespace

/// The problems that one argument stands for: those of a folder, or itself.
static llvm::Expected<std::vector<std::string>> problemsOf(const std::string &Argument) {
  // `level1` is a folder here or, as in names, among cupel's problems.
  for (const std::string &Folder : {Argument, findToolchain().ProblemDir + "/" + Argument})
    if (llvm::sys::fs::is_directory(Folder) && !llvm::StringRef(Folder).ends_with(".toml"))
      return listProblemFiles(Folder);
  return std::vector<std::string>{Argument};
}

/// Each problem once, however often it is named.
static void keepFirst(std::vector<std::string> &Names) {
  llvm::StringSet<> Seen;
  llvm::erase_if(Names, [&](const std::string &Name) {
    llvm::SmallString<256> File(Name);
    // What stands for no file is told when it is checked.
    if (llvm::Expected<std::string> Found = findProblem(Name))
      llvm::sys::fs::real_path(*Found, File);
    else
      llvm::consumeError(Found.takeError());
    return !Seen.insert(File).second;
  });
}

llvm::Expected<int> cupel::runProblemCheck(const ProblemOptions &Options, llvm::raw_ostream &OS) {
  ProblemChecking Checking(Options, OS);
  std::vector<std::string> Names;
  if (Options.All) {
    llvm::Expected<std::vector<std::string>> Known = listProblems();
    if (!Known)
      return Known.takeError();
    Names = std::move(*Known);
  }
  for (const std::string &Argument : Options.Problems) {
    llvm::Expected<std::vector<std::string>> Found = problemsOf(Argument);
    if (Found)
      llvm::append_range(Names, *Found);
    else
      Checking.invalid(Argument, Found.takeError());
  }
  keepFirst(Names);
  for (const std::string &Name : Names) {
    Checking.check(Name);
    OS.flush();
  }
  return Checking.finish();
}
