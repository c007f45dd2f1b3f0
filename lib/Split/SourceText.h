//===- SourceText.h - directives and words of a source -----------------------===//
#ifndef CUPEL_LIB_SPLIT_SOURCETEXT_H
#define CUPEL_LIB_SPLIT_SOURCETEXT_H

#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cupel {

/// A preprocessor directive, wherever it stands: also in text that a condition leaves out.
struct TextDirective {
  unsigned Begin = 0, End = 0; ///< From `#` to behind the last word, over spliced lines.
  llvm::StringRef Keyword;     ///< `include`, `if`, `define`, ...; empty for a lone `#`.
  llvm::StringRef Name;        ///< Of `define` and `undef`; the header of an `include`, bare.
  std::vector<llvm::StringRef> Words; ///< Identifiers behind the keyword, the name left out.

  bool isCondition() const {
    return Keyword.starts_with("if") || Keyword.starts_with("el") || Keyword == "endif";
  }
};

/// A source as its lexer sees it, nothing expanded.
class SourceText {
public:
  SourceText(llvm::StringRef Source, const clang::LangOptions &Language);

  const std::vector<TextDirective> &directives() const { return Directives; }
  /// Identifiers outside of directives, at their offsets.
  const std::map<unsigned, llvm::StringRef> &words() const { return Words; }
  /// The words of the bodies of all macros of that name.
  const std::map<llvm::StringRef, std::set<llvm::StringRef>> &macros() const { return Macros; }

private:
  std::vector<TextDirective> Directives;
  std::map<unsigned, llvm::StringRef> Words;
  std::map<llvm::StringRef, std::set<llvm::StringRef>> Macros;
};

} // namespace cupel

#endif // CUPEL_LIB_SPLIT_SOURCETEXT_H
