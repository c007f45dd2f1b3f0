//===- CompilerText.h - text that depends on which compiler reads it --------===//
#ifndef CUPEL_LIB_CHECKS_EVASION_COMPILERTEXT_H
#define CUPEL_LIB_CHECKS_EVASION_COMPILERTEXT_H

#include "cupel/Checks/CheckContext.h"
#include <string>
#include <vector>

namespace cupel {

/// Code that the judging compiler and the one that builds may read differently.
struct CompilerText {
  clang::SourceLocation Where; ///< The condition, or the word in the code.
  std::string Cause;           ///< The compiler's macro that decides.
  std::string Macro;           ///< The submission's own macro that stands for it, if any.
  bool IsHost = false;         ///< Host code, or what may be.
};

/// In order of their places, each condition and each macro once. Directives, pragmas, attributes
/// and hints to the optimiser are no code.
std::vector<CompilerText> findCompilerText(CheckContext &Context);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_EVASION_COMPILERTEXT_H
