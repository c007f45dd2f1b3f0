//===- BaselineCommand.cpp - `cupel baseline` --------------------------------===//
//
// Makes compiled baselines ahead of the evaluations that are compared with them.
//
//===----------------------------------------------------------------------===//

#include "NamedProblem.h"
#include "cupel/Driver/Commands.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Runner/Baseline.h"
#include "cupel/Support/Text.h"
#include "cupel/Support/Toolchain.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cupel;
using llvm::json::Array;
using llvm::json::Object;

namespace {

/// One problem and kind, as it ended.
struct Outcome {
  std::string State; ///< `made`, `cached` or `failed`.
  std::string Path;
  double Seconds = 0;
  std::optional<Reason> Why;
};

Outcome makeOne(const BaselinePackages &Packages, const ProblemSpec &Problem,
                const BaselineKind &Kind, double TimeoutSeconds) {
  const CaseSpec *Case = Problem.benchmarkCase();
  if (!Case)
    return {"failed", "", 0, Reason{"no-benchmark-case", "no case has the role benchmark"}};
  llvm::Expected<BaselinePackages::Made> Made = Packages.make(Problem, *Case, Kind, TimeoutSeconds);
  if (!Made)
    return {"failed", "", 0, takeReasons(Made.takeError()).front()};
  return {Made->Cached ? "cached" : "made", Made->Path, Made->Seconds, std::nullopt};
}

} // namespace

llvm::Expected<int> cupel::baselineCommand(const BaselineOptions &Options, llvm::raw_ostream &OS) {
  std::vector<ProblemSpec> Problems;
  llvm::Error Errors = llvm::Error::success();
  for (const std::string &Name : Options.Problems) {
    llvm::Expected<ProblemSpec> Problem = readCheckedProblem(Name);
    if (Problem)
      Problems.push_back(std::move(*Problem));
    else
      Errors = llvm::joinErrors(std::move(Errors), Problem.takeError());
  }
  if (Errors)
    return Errors;

  WorkerOptions Workers;
  Workers.Worker = findToolchain().Worker;
  Workers.Device = DeviceChoice::Cuda;
  llvm::Expected<BaselinePackages> Packages = openBaselinePackages(Workers);
  if (!Packages)
    return Packages.takeError();

  bool Failed = false;
  Array All;
  for (const ProblemSpec &Problem : Problems) {
    for (const std::string &Name : Options.Baselines) {
      Outcome Done = makeOne(*Packages, Problem, *parseBaseline(Name), Options.TimeoutSeconds);
      Failed |= Done.State == "failed";
      if (Options.Format == "json") {
        All.push_back(
            Object{{"problem", Problem.Id},
                   {"baseline", Name},
                   {"state", Done.State},
                   {"path", Done.Path},
                   {"seconds", Done.Seconds},
                   {"reason", Done.Why ? llvm::json::Value(Object{{"code", Done.Why->Code},
                                                                  {"text", Done.Why->Text}})
                                       : llvm::json::Value(nullptr)}});
        continue;
      }
      OS << printableLine(Problem.Id) << "  " << Name << "  " << Done.State;
      if (Done.State == "made")
        OS << " in " << formatDuration(Done.Seconds);
      if (Done.Why)
        OS << ": " << printableLine(Done.Why->Text, 400) << " [" << Done.Why->Code << ']';
      OS << '\n';
      OS.flush();
    }
  }
  if (Options.Format == "json")
    OS << llvm::formatv("{0:2}", llvm::json::Value(std::move(All))) << '\n';
  return Failed ? ExitCouldNotJudge : ExitDone;
}
