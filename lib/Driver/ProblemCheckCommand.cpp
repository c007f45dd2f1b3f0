//===- ProblemCheckCommand.cpp - cupel problem check P... -------------------===//

#include "ProblemCommand.h"
#include "cupel/Problem/ProblemCheck.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Runner/ReferenceChecker.h"
#include "cupel/Support/Text.h"
#include "cupel/Support/Toolchain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cupel;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

class ProblemChecking {
public:
  ProblemChecking(bool AsJson, llvm::raw_ostream &OS)
      : AsJson(AsJson), OS(OS), Checker(workers()) {}

  void check(const std::string &Name) {
    llvm::Expected<std::string> File = findProblem(Name);
    llvm::Expected<ProblemSpec> Problem =
        File ? readProblem(*File) : llvm::Expected<ProblemSpec>(File.takeError());
    if (!Problem)
      return invalid(Name, Problem.takeError());
    ProblemJudgement Judgement = checkProblem(
        *Problem,
        [this](const ProblemSpec &P, const CaseSpec &Case) { return Checker.check(P, Case); },
        // The device is known once the first, smallest case has run.
        [this](const CaseSpec &Case) {
          return !Case.IsBenchmark || (!Checker.device().empty() && Checker.device() != "cpu");
        });
    Failed |= !Judgement.Failures.empty();
    NotRun |= !Judgement.NotRun.empty();
    Mutations += Judgement.Mutations;
    Refused += Judgement.RefusedMutations;
    Perfect += Judgement.NotRun.empty() && Judgement.Mutations == Judgement.RefusedMutations;
    ++Count;
    AsJson ? add(*Problem, Judgement) : print(*Problem, Judgement);
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

  void invalid(const std::string &Name, llvm::Error E) {
    Errors = llvm::joinErrors(std::move(Errors), std::move(E));
    if (AsJson)
      All.push_back(Object{{"id", Name}, {"state", "invalid"}});
    else
      OS << printableLine(Name) << ": invalid\n";
  }

  void add(const ProblemSpec &Problem, const ProblemJudgement &Judgement) {
    Value Result = toJson(Judgement);
    Result.getAsObject()->try_emplace("id", Problem.Id);
    Result.getAsObject()->try_emplace("device", Checker.device());
    if (const CaseSpec *Case = Problem.benchmarkCase())
      Result.getAsObject()->try_emplace("benchmark_tensor_bytes",
                                        int64_t(tensorBytes(Problem, *Case)));
    All.push_back(std::move(Result));
  }

  void print(const ProblemSpec &Problem, const ProblemJudgement &Judgement) {
    OS << Problem.Id << ": ";
    if (!Judgement.NotRun.empty())
      OS << "reference not run (" << Judgement.NotRun.front().Text << ")\n";
    else
      printResult(Problem, Judgement);
    for (const Reason &Why : Judgement.Failures)
      OS << "    error: " << Why.Text << '\n';
    for (const Reason &Why : Judgement.Warnings)
      OS << "    warning: " << Why.Text << '\n';
  }

  void printResult(const ProblemSpec &Problem, const ProblemJudgement &Judgement) {
    OS << (Judgement.Failures.empty() ? "ok" : "no good") << "; " << Judgement.Cases.size()
       << (Judgement.Cases.size() == 1 ? " case, " : " cases, ") << Judgement.RefusedMutations
       << " of " << Judgement.Mutations << " wrong outputs refused";
    if (Judgement.ErrorShare)
      OS << ", own error " << formatSignificant(100 * *Judgement.ErrorShare, 2)
         << " % of the allowed";
    if (const CaseSpec *Case = Problem.benchmarkCase())
      OS << ", " << formatBytes(tensorBytes(Problem, *Case)) << " at benchmark size";
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

llvm::Expected<int> cupel::runProblemCheck(const ProblemOptions &Options, llvm::raw_ostream &OS) {
  ProblemChecking Checking(Options.Format == "json", OS);
  for (const std::string &Name : Options.Problems) {
    Checking.check(Name);
    OS.flush();
  }
  return Checking.finish();
}
