//===- Driver.cpp - from the command line to the exit status ----------------===//

#include "cupel/Driver/Options.h"
#include "cupel/Frontend/Guarded.h"
#include "cupel/Frontend/Headers.h"
#include "cupel/Split/HostObject.h"
#include "cupel/Support/CacheDirectory.h"
#include "cupel/Support/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Process.h"
#include <csignal>
#include <cstdlib>

using namespace cupel;
using llvm::StringRef;

StringRef cupel::toString(Phase P) {
  switch (P) {
  case Phase::Lint:
    return "lint";
  case Phase::Build:
    return "build";
  case Phase::Run:
    return "run";
  case Phase::Profile:
    return "profile";
  }
  llvm_unreachable("unknown phase");
}

std::optional<Phase> cupel::parsePhase(StringRef Text) {
  return llvm::StringSwitch<std::optional<Phase>>(Text)
      .Case("lint", Phase::Lint)
      .Case("build", Phase::Build)
      .Case("run", Phase::Run)
      .Case("profile", Phase::Profile)
      .Default(std::nullopt);
}

namespace {

/// Colour for a terminal, unless NO_COLOR (no-color.org) or a dumb terminal asks for none.
bool wantsColour() {
  const char *NoColour = std::getenv("NO_COLOR");
  return !(NoColour && *NoColour) && llvm::sys::Process::StandardOutHasColors();
}

/// Runs one parsed command.
struct CommandRunner {
  llvm::raw_ostream &OS;

  llvm::Expected<int> operator()(const HelpText &Help) const {
    OS << Help.Text;
    return ExitDone;
  }
  llvm::Expected<int> operator()(LintOptions &Options) const {
    Options.Colour = wantsColour() && Options.Format == "text";
    return lintCommand(Options, OS);
  }
  llvm::Expected<int> operator()(EvalOptions &Options) const {
    Options.Colour = wantsColour() && Options.Json != "-";
    Options.Progress = llvm::sys::Process::StandardErrIsDisplayed();
    return evalCommand(Options, OS);
  }
  llvm::Expected<int> operator()(const ExplainOptions &Options) const {
    OS.enable_colors(wantsColour());
    return explainCommand(Options, OS);
  }
  llvm::Expected<int> operator()(const BaselineOptions &Options) const {
    return baselineCommand(Options, OS);
  }
  llvm::Expected<int> operator()(const ProblemOptions &Options) const {
    return problemCommand(Options, OS);
  }
  llvm::Expected<int> operator()(const ChecksOptions &Options) const {
    return checksCommand(Options, OS);
  }
  llvm::Expected<int> operator()(const CacheOptions &Options) const {
    return cacheCommand(Options, OS);
  }
  llvm::Expected<int> operator()(const DoctorOptions &Options) const {
    return doctorCommand(Options, OS);
  }
};

/// Making the headers ready costs up to a minute, the first time, and for a source with errors once
/// more with torch's own (docs/frontend.md).
void tellOfHeaders() {
  onPreparingHeaders([](StringRef Set) {
    const char *Start = llvm::sys::Process::StandardErrIsDisplayed() ? "\r\033[K" : "";
    llvm::errs() << Start << "cupel: precompiling "
                 << (Set == "full"   ? "all of torch's headers, for what fails with the common ones"
                     : Set == "slim" ? "torch's and CUDA's headers"
                                     : "CUDA's headers")
                 << "; this takes up to a minute and is kept\n";
  });
}

int fail(llvm::Error E) {
  llvm::outs().flush();
  llvm::outs().clear_error(); // One error is told.
  reportErrors(std::move(E), llvm::errs());
  return ExitCouldNotJudge;
}

} // namespace

static int runCommand(llvm::ArrayRef<const char *> Arguments) {
  // Not a command of its own: the build's compiler for host code, run with the build's limits.
  if (!Arguments.empty() && StringRef(Arguments.front()) == "host-object")
    return hostObjectMain(Arguments.drop_front());
  llvm::Expected<Command> Parsed = parseCommandLine(Arguments);
  if (!Parsed)
    return fail(Parsed.takeError());
  // Any command may fill the cache. Who only asks for help is told of nothing else.
  if (!std::holds_alternative<HelpText>(*Parsed))
    if (llvm::Expected<uint64_t> Limit = CacheDirectory::sizeLimit(); !Limit)
      return fail(Limit.takeError());
  tellOfHeaders();
  llvm::outs().SetBuffered();
  llvm::Expected<int> Status = std::visit(CommandRunner{llvm::outs()}, *Parsed);
  if (!Status)
    return fail(Status.takeError());
  // A full disk or a closed pipe behind standard output: the answer did not arrive. raw_fd_ostream
  // aborts in its destructor when an error was not looked at.
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    std::error_code EC = llvm::outs().error();
    llvm::outs().clear_error();
    // A reader such as `head` has enough. What a shell says of a program that SIGPIPE ended tells
    // whoever looks that the answer was cut off.
    if (EC == std::errc::broken_pipe)
      return 128 + SIGPIPE;
    return fail(makeError("output", "cannot write to standard output: " + EC.message()));
  }
  return *Status;
}

int cupel::runCupel(llvm::ArrayRef<const char *> Arguments) {
  const int Status = runCommand(Arguments);
  // Nobody is left to be told, and the destructor would end the process with a status of its own.
  llvm::errs().clear_error();
  if (hasAbandonedWork()) {
    llvm::outs().flush();
    std::_Exit(Status);
  }
  return Status;
}
