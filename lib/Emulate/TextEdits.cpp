//===- TextEdits.cpp - changes of a submission's text by tokens -------------===//

#include "TextEdits.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;
using clang::SourceLocation;

/// \p Location is in the file or in the body of a macro's expansion.
static std::optional<TokenPlace> directPlace(const clang::SourceManager &Sources,
                                             SourceLocation Location) {
  auto [File, Offset] = Sources.getDecomposedLoc(Sources.getSpellingLoc(Location));
  if (File != Sources.getMainFileID())
    return std::nullopt;
  unsigned Context = Location.isMacroID() ? Sources.getFileID(Location).getHashValue() : 0;
  return TokenPlace{Context, Offset};
}

std::optional<TokenPlace> cupel::placeOfToken(const ParsedPass &Pass, SourceLocation Location) {
  const clang::SourceManager &Sources = Pass.sourceManager();
  while (Sources.isMacroArgExpansion(Location))
    Location = Sources.getImmediateSpellingLoc(Location);
  return directPlace(Sources, Location);
}

std::optional<TokenPlace> cupel::placeInContext(const ParsedPass &Pass, SourceLocation Location,
                                                unsigned Context) {
  const clang::SourceManager &Sources = Pass.sourceManager();
  llvm::SmallVector<SourceLocation, 8> Open = {Location};
  while (!Open.empty()) {
    SourceLocation At = Open.pop_back_val();
    if (At.isInvalid())
      continue;
    bool IsArgument = Sources.isMacroArgExpansion(At);
    if (!IsArgument)
      if (std::optional<TokenPlace> Place = directPlace(Sources, At);
          Place && Place->Context == Context)
        return Place;
    if (!At.isMacroID())
      continue;
    // Up: the parameter in the macro's body, or the macro's name where it is used. Down, tried
    // first: the argument as it is written.
    Open.push_back(Sources.getImmediateExpansionRange(At).getBegin());
    if (IsArgument)
      Open.push_back(Sources.getImmediateSpellingLoc(At));
  }
  return std::nullopt;
}

unsigned cupel::tokenLength(const ParsedPass &Pass, unsigned Offset) {
  const clang::SourceManager &Sources = Pass.sourceManager();
  return clang::Lexer::MeasureTokenLength(
      Sources.getLocForStartOfFile(Sources.getMainFileID()).getLocWithOffset(Offset), Sources,
      Pass.instance().getLangOpts());
}

std::optional<TextRange> cupel::rangeOfTokens(const ParsedPass &Pass, clang::SourceRange Location) {
  std::optional<TokenPlace> Last = placeOfToken(Pass, Location.getEnd());
  std::optional<TokenPlace> First =
      Last ? placeInContext(Pass, Location.getBegin(), Last->Context) : std::nullopt;
  if (!First || Last->Offset < First->Offset)
    return std::nullopt;
  return TextRange{First->Offset, Last->Offset + tokenLength(Pass, Last->Offset)};
}

void TextEdits::insert(unsigned Offset, std::string Text) {
  std::vector<std::string> &Before = Edits[Offset].Before;
  if (!llvm::is_contained(Before, Text))
    Before.push_back(std::move(Text));
}

void TextEdits::replace(unsigned Offset, unsigned Length, std::string Text) {
  Edit &E = Edits[Offset];
  if (E.Instead)
    return;
  E.Instead = std::move(Text);
  E.Length = Length;
}

void TextEdits::surround(unsigned Begin, unsigned End, std::string Open, std::string Close) {
  std::vector<std::string> &Before = Edits[Begin].Before;
  if (llvm::is_contained(Before, Open))
    return;
  Before.insert(Before.begin(), std::move(Open));
  Edits[End].Before.push_back(std::move(Close));
}

std::optional<std::string> TextEdits::apply(llvm::StringRef Source) const {
  std::string Result;
  size_t Done = 0;
  for (const auto &[Offset, E] : Edits) {
    if (Offset < Done || Offset + E.Length > Source.size())
      return std::nullopt;
    Result += Source.slice(Done, Offset);
    for (const std::string &Text : E.Before)
      Result += Text;
    if (E.Instead)
      Result += *E.Instead;
    Done = Offset + E.Length;
  }
  Result += Source.drop_front(Done);
  return Result;
}
