//===- Commands.h - what each command of cupel does, options parsed ---------===//
//
// Options.h turns a command line into one of the structs below; the functions do the work. They
// write their output to \p OS and findings that gate to the exit status; whatever keeps them from
// judging is an Error, which the driver prints.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_DRIVER_COMMANDS_H
#define CUPEL_DRIVER_COMMANDS_H

#include "cupel/Support/Isolation.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// Exit statuses of every command (design section 3).
enum ExitStatus : int { ExitDone = 0, ExitRejected = 1, ExitCouldNotJudge = 2 };

/// The last phase that `eval` runs.
enum class Phase { Lint, Build, Run, Profile };
llvm::StringRef toString(Phase P);
std::optional<Phase> parsePhase(llvm::StringRef Text);

struct LintOptions {
  std::vector<std::string> Submissions;
  std::string Problem;               ///< Name or path; empty: none.
  std::string Format = "text";       ///< `text`, `json` or `sarif`.
  std::vector<std::string> Checks;   ///< Globs in order; a leading `-` switches off.
  std::optional<std::string> Policy; ///< `strict` or `partial`; absent: the problem's.
  unsigned Jobs = 0;                 ///< 0: as many as there are processors.
  std::optional<double> TimeLimit;   ///< Seconds of one file's parse; absent: the parse's default.
  bool Colour = false;
};

struct EvalOptions {
  std::string Problem, Submission;
  std::string Device = "auto";  ///< `auto`, `cuda` or `cpu`.
  std::string Profile = "full"; ///< `none`, `basic` or `full`.
  std::optional<std::string> Policy;
  std::vector<std::string> Checks;
  std::vector<std::string> Cases; ///< Empty: all.
  std::optional<uint64_t> Seed;   ///< Absent: from the system's random source.
  double TimeoutSeconds = 600;    ///< Of the run phase.
  std::vector<std::string> Baselines = {"eager", "compiled"};
  std::optional<IsolationLayers> Isolation; ///< Absent: what the device can do with.
  std::string Json; ///< File for the record, `-` for stdout, empty for none.
  std::optional<Phase> StopAfter;
  std::string Strategy; ///< The only way to build; empty: all, fastest first.
  std::string From;     ///< Record to go on from; empty: none.
  bool Colour = false;
  bool Progress = false; ///< A line on stderr that names the phase under way.
};

struct ExplainOptions {
  std::string Record; ///< File that `eval --json` wrote.
};

/// Compiled baselines that are made ahead.
struct BaselineOptions {
  std::vector<std::string> Problems;                 ///< Names or paths.
  std::vector<std::string> Baselines = {"compiled"}; ///< Names of those that need a package.
  double TimeoutSeconds = 1800;                      ///< For each.
  std::string Format = "text";                       ///< `text` or `json`.
};

struct ProblemOptions {
  enum class Action { List, Show, Check } What = Action::List;
  std::vector<std::string> Problems; ///< Names or paths; to check, folders too.
  bool All = false;                  ///< Check every problem that cupel ships.
  double TimeoutSeconds = 30;        ///< Of each problem that is checked.
  std::string Format = "text";       ///< `text` or `json`.
};

struct ChecksOptions {
  enum class Action { List, Explain } What = Action::List;
  std::vector<std::string> Ids;
  std::string Format = "text";
};

struct DoctorOptions {
  std::string Format = "text";
};

struct CacheOptions {
  enum class Action { Show, Prune } What = Action::Show;
  std::optional<uint64_t> MaxBytes; ///< Of prune; absent: the cache's own limit.
  std::string Format = "text";      ///< `text` or `json`.
};

llvm::Expected<int> lintCommand(const LintOptions &Options, llvm::raw_ostream &OS);
llvm::Expected<int> evalCommand(const EvalOptions &Options, llvm::raw_ostream &OS);
llvm::Expected<int> explainCommand(const ExplainOptions &Options, llvm::raw_ostream &OS);
llvm::Expected<int> baselineCommand(const BaselineOptions &Options, llvm::raw_ostream &OS);
llvm::Expected<int> problemCommand(const ProblemOptions &Options, llvm::raw_ostream &OS);
llvm::Expected<int> checksCommand(const ChecksOptions &Options, llvm::raw_ostream &OS);
llvm::Expected<int> cacheCommand(const CacheOptions &Options, llvm::raw_ostream &OS);
llvm::Expected<int> doctorCommand(const DoctorOptions &Options, llvm::raw_ostream &OS);

/// The whole of `main`: parses \p Arguments (without the program's name), runs the command, prints
/// errors. Returns the exit status.
int runCupel(llvm::ArrayRef<const char *> Arguments);

} // namespace cupel

#endif // CUPEL_DRIVER_COMMANDS_H
