//===- Directives.h - preprocessor lines and comments of a submission -------===//
//
// Read from the main file's own characters, so that nothing the preprocessor was told can hide
// them; blocks that a condition leaves out are read too.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_DIRECTIVES_H
#define CUPEL_LIB_CHECKS_DIRECTIVES_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cupel {

struct Directive {
  clang::SourceLocation Location; ///< Of the `#`.
  std::string Name;               ///< `include`; empty for a line marker `# 1 "file"`.
  std::string Text;               ///< The rest of the line, continued lines joined.
};

/// Of the main file, from its beginning. That its LexFromRawLexer returns true says that nothing
/// follows, also of a last token that is there.
clang::Lexer rawLexer(const ParsedPass &Pass);

std::vector<Directive> findDirectives(const ParsedPass &Pass);

/// Places of `_Pragma("...")` and `__pragma(...)` with \p Word in them, in macros too.
std::vector<clang::SourceLocation> findPragmaOperators(const ParsedPass &Pass,
                                                       llvm::StringRef Word);

/// Places of comments with NOLINT.
std::vector<clang::SourceLocation> findSuppressions(const ParsedPass &Pass);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_DIRECTIVES_H
