//===- PassBuilder.h - one pass of Clang over one source --------------------===//
#ifndef CUPEL_LIB_FRONTEND_PASSBUILDER_H
#define CUPEL_LIB_FRONTEND_PASSBUILDER_H

#include "CompileCommand.h"
#include "SharedClasses.h"
#include <chrono>

namespace cupel {

/// One pass of Clang over one source. A crash or a limit leaves \c Pass null and says so in
/// \c Failure.
struct PassBuilder {
  llvm::StringRef File;
  llvm::StringRef Source;
  std::vector<std::string> Arguments; ///< cc1Arguments of the pass.
  std::string Pch;                    ///< Path of the precompiled prefix.
  PassKind Kind = PassKind::Host;
  bool SkipHostBodies = false; ///< Leave out the bodies of functions that run on the host only.
  /// Checked between tokens and template instances.
  std::chrono::steady_clock::time_point Deadline;

  std::unique_ptr<ParsedPass> Pass;
  std::vector<CompilerMessage> Messages;
  bool HasErrors = false;
  std::string Failure;
  double Seconds = 0;

  void run();

private:
  void runOnce();
  void runUnguarded();

  SharedClassMap SharedClasses; ///< refusedSharedClasses of the first time.
};

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_PASSBUILDER_H
