//===- Options.td - every option of every command ---------------------------===//
//
// One table; the visibility of an option says which commands take it. llvm-tblgen makes
// Options.inc of it.
//
//===----------------------------------------------------------------------===//
include "llvm/Option/OptParser.td"

def LintVis : OptionVisibility;
def EvalVis : OptionVisibility;
def ProblemVis : OptionVisibility;
def ChecksVis : OptionVisibility;
def DoctorVis : OptionVisibility;
def BaselineVis : OptionVisibility;
def CacheVis : OptionVisibility;
def ExplainVis : OptionVisibility;
defvar Every = [DefaultVis, LintVis, EvalVis, ProblemVis, ChecksVis, DoctorVis, BaselineVis,
                CacheVis, ExplainVis];

// `--NAME VALUE` and `--NAME=VALUE`.
multiclass Valued<string name, string metavar, string help, list<OptionVisibility> commands> {
  def NAME : Separate<["--"], name>, HelpText<help>, MetaVarName<metavar>, Visibility<commands>;
  def NAME # _EQ : Joined<["--"], name # "=">, Alias<!cast<Option>(NAME)>, Visibility<commands>;
}

def help : Flag<["--"], "help">, HelpText<"Print this help">, Visibility<Every>;
def help_short : Flag<["-"], "h">, Alias<help>, Visibility<Every>;
def version : Flag<["--"], "version">, HelpText<"Print the version">, Visibility<[DefaultVis]>;

defm format : Valued<"format", "<F>", "text (default) or json; lint: sarif too",
                     [LintVis, ProblemVis, ChecksVis, DoctorVis, BaselineVis, CacheVis]>;
defm checks : Valued<"checks", "<GLOBS>",
                     "Checks to run, separated by commas; a leading '-' switches off",
                     [LintVis, EvalVis]>;
defm policy : Valued<"policy", "<P>", "strict or partial, instead of the problem's",
                     [LintVis, EvalVis]>;
defm problem : Valued<"problem", "<P>", "Judge the entry against this problem, under its policy",
                      [LintVis]>;
defm jobs : Valued<"jobs", "<N>", "Submissions at a time (default: one a processor)", [LintVis]>;

defm device : Valued<"device", "<D>", "auto (default), cuda or cpu", [EvalVis]>;
defm profile : Valued<"profile", "<L>",
                      "none: no kernels; basic: times and few counters; full (default): all counters",
                      [EvalVis]>;
defm case : Valued<"case", "<NAME>", "Run only this case; may be given again", [EvalVis]>;
defm seed : Valued<"seed", "<N>", "Seed of the inputs, decimal or 0x...; default: a random one",
                   [EvalVis]>;
defm baseline : Valued<"baseline", "<NAME>",
                       "eager, graphed, compiled or compiled-autotune, each also with -tf32; may be "
                       "given again (default of eval: eager and compiled)",
                       [EvalVis, BaselineVis]>;
defm timeout : Valued<"timeout", "<S>",
                      "Limit in seconds: of a run (default 600), a compilation (1800), each problem "
                      "to check (30), the parse of a file to lint (30)",
                      [LintVis, EvalVis, BaselineVis, ProblemVis]>;
def all : Flag<["--"], "all">, HelpText<"Check every problem that cupel ships">,
          Visibility<[ProblemVis]>;
defm isolation : Valued<"isolation", "<LAYERS>",
                        "What keeps the submission apart: full (default), none, full,-NAME,...",
                        [EvalVis]>;
defm json : Valued<"json", "<FILE>", "Write the record; '-' prints it alone", [EvalVis]>;
defm stop_after : Valued<"stop-after", "<PHASE>", "End after lint, build, run or profile",
                         [EvalVis]>;
defm strategy : Valued<"strategy", "<NAME>",
                       "Build in this way alone: split, nvcc-slim or nvcc-full", [EvalVis]>;
defm from : Valued<"from", "<RECORD>", "Go on from a record that --json wrote", [EvalVis]>;

defm max_gb : Valued<"max-gb", "<N>", "prune: the size to keep to, instead of the cache's own limit",
                     [CacheVis]>;
