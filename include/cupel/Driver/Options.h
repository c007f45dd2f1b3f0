//===- Options.h - command line to options ----------------------------------===//
#ifndef CUPEL_DRIVER_OPTIONS_H
#define CUPEL_DRIVER_OPTIONS_H

#include "cupel/Driver/Commands.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <variant>

namespace cupel {

/// `--help` or `--version`: the text to print.
struct HelpText {
  std::string Text;
};

using Command = std::variant<HelpText, LintOptions, EvalOptions, ExplainOptions, BaselineOptions,
                             ProblemOptions, ChecksOptions, CacheOptions, DoctorOptions>;

/// Parses \p Arguments, the command line without the program's name. Nothing of the machine is
/// looked at: files, the terminal and the environment are the caller's. Errors have the code
/// `usage`, all mistakes in options at once, with the nearest known name.
llvm::Expected<Command> parseCommandLine(llvm::ArrayRef<const char *> Arguments);

} // namespace cupel

#endif // CUPEL_DRIVER_OPTIONS_H
