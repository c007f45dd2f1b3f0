//===- SourceText.cpp - directives and words of a source ---------------------===//

#include "SourceText.h"
#include "clang/Lex/Lexer.h"
#include <optional>

using namespace cupel;

static llvm::StringRef headerName(llvm::StringRef Rest) {
  Rest = Rest.trim();
  if (Rest.consume_front("<"))
    return Rest.take_until([](char C) { return C == '>'; });
  if (Rest.consume_front("\""))
    return Rest.take_until([](char C) { return C == '"'; });
  return "";
}

SourceText::SourceText(llvm::StringRef Source, const clang::LangOptions &Language) {
  clang::Lexer Lexer(clang::SourceLocation(), Language, Source.begin(), Source.begin(),
                     Source.end());
  std::optional<TextDirective> Open;
  auto Close = [&] {
    if (!Open)
      return;
    if (Open->Keyword == "include" || Open->Keyword == "include_next" || Open->Keyword == "import")
      Open->Name = headerName(
          Source.slice(Open->Keyword.end() - Source.begin(), Source.size()).take_until([](char C) {
            return C == '\n';
          }));
    if (Open->Keyword == "define")
      Macros[Open->Name].insert(Open->Words.begin(), Open->Words.end());
    Directives.push_back(std::move(*Open));
    Open.reset();
  };

  clang::Token Token;
  for (bool Ended = false; !Ended;) {
    Ended = Lexer.LexFromRawLexer(Token);
    unsigned End = Lexer.getBufferLocation() - Source.begin(), Begin = End - Token.getLength();
    if (Token.isAtStartOfLine()) {
      Close();
      if (Token.is(clang::tok::hash)) {
        Open.emplace();
        Open->Begin = Begin;
        Open->End = End;
        continue;
      }
    }
    bool IsWord = Token.is(clang::tok::raw_identifier);
    llvm::StringRef Word = IsWord ? Token.getRawIdentifier() : "";
    if (!Open) {
      if (IsWord)
        Words[Begin] = Word;
      continue;
    }
    if (Token.isNot(clang::tok::eof))
      Open->End = End;
    if (!IsWord)
      continue;
    if (Open->Keyword.empty())
      Open->Keyword = Word;
    else if (Open->Name.empty() && (Open->Keyword == "define" || Open->Keyword == "undef"))
      Open->Name = Word;
    else
      Open->Words.push_back(Word);
  }
  Close();
}
