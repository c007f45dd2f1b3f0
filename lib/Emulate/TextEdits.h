//===- TextEdits.h - changes of a submission's text by tokens ---------------===//
#ifndef CUPEL_LIB_EMULATE_TEXTEDITS_H
#define CUPEL_LIB_EMULATE_TEXTEDITS_H

#include "cupel/Frontend/ParsedSubmission.h"
#include <map>

namespace cupel {

/// Where a token is written in the submission's file. Macros make it differ from where it is used:
/// \c Context tells the texts apart that a reader would edit as one, the file itself (with the
/// arguments of macros, which are written there) or one expansion of one macro's body.
struct TokenPlace {
  unsigned Context = 0; ///< 0: the file.
  unsigned Offset = 0;  ///< In the file.
};

/// The place of the very token at \p Location; nothing when it is written in another file.
std::optional<TokenPlace> placeOfToken(const ParsedPass &Pass, clang::SourceLocation Location);

/// Where the token at \p Location shows in \p Context: itself, or the macro or the parameter that
/// stands there for it. Nothing when it does not show there, or when that is another file's text.
std::optional<TokenPlace> placeInContext(const ParsedPass &Pass, clang::SourceLocation Location,
                                         unsigned Context);

/// Length in bytes of the token that is written at \p Offset.
unsigned tokenLength(const ParsedPass &Pass, unsigned Offset);

/// Where a text begins and ends in the submission's file.
struct TextRange {
  unsigned Begin = 0, End = 0;
};

/// Where the tokens from \p Location.getBegin() to its end are written as one text; nothing when a
/// macro puts them together of several, or when they are another file's.
std::optional<TextRange> rangeOfTokens(const ParsedPass &Pass, clang::SourceRange Location);

/// Insertions and replacements, by offset. Instances of templates and both passes ask for the same
/// edit again and again; the first is kept.
class TextEdits {
public:
  /// Insertions at one offset come in the order given, in front of a replacement there.
  void insert(unsigned Offset, std::string Text);
  void replace(unsigned Offset, unsigned Length, std::string Text);
  /// Puts \p Open and \p Close around what is there from \p Begin to \p End, with the insertions
  /// given so far.
  void surround(unsigned Begin, unsigned End, std::string Open, std::string Close);

  /// \p Source with all edits; nothing when replacements overlap.
  std::optional<std::string> apply(llvm::StringRef Source) const;

private:
  struct Edit {
    std::vector<std::string> Before;
    std::optional<std::string> Instead;
    unsigned Length = 0;
  };
  std::map<unsigned, Edit> Edits;
};

} // namespace cupel

#endif // CUPEL_LIB_EMULATE_TEXTEDITS_H
