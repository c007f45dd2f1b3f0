//===- SourceSymbols.h - where a submission uses what linkers name ----------===//
//
// Linkers and ptxas know functions and variables by their mangled names alone. Plain data, free of
// Clang's types: lib/Build places their messages with it.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_FRONTEND_SOURCESYMBOLS_H
#define CUPEL_FRONTEND_SOURCESYMBOLS_H

#include "cupel/Support/Error.h"
#include <string>
#include <vector>

namespace cupel {

struct ParsedSubmission;

/// A function or variable that the submission declares or uses.
struct SourceSymbol {
  std::string Mangled;
  /// Its definition in the submission, else where the submission first uses it, else its
  /// declaration.
  SourcePlace Place;
  bool IsDefined = false;
  bool IsOwn = false; ///< No header declares it: nobody but the submission can define it.
};

/// All of them, from both passes, each name once.
std::vector<SourceSymbol> sourceSymbols(const ParsedSubmission &Submission);

} // namespace cupel

#endif // CUPEL_FRONTEND_SOURCESYMBOLS_H
