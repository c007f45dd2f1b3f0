//===- Directives.cpp - preprocessor lines and comments of a submission -----===//

#include "Directives.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace cupel {

static Lexer rawLexer(const ParsedPass &Pass) {
  SourceManager &SM = Pass.sourceManager();
  FileID Main = SM.getMainFileID();
  return Lexer(Main, SM.getBufferOrFake(Main), SM, Pass.context().getLangOpts());
}

std::vector<Directive> findDirectives(const ParsedPass &Pass) {
  SourceManager &SM = Pass.sourceManager();
  Lexer Lex = rawLexer(Pass);
  std::vector<Directive> Found;
  Token Current;
  bool IsEnd = Lex.LexFromRawLexer(Current);
  while (!IsEnd) {
    if (!Current.is(tok::hash) || !Current.isAtStartOfLine()) {
      IsEnd = Lex.LexFromRawLexer(Current);
      continue;
    }
    Directive D;
    D.Location = Current.getLocation();
    IsEnd = Lex.LexFromRawLexer(Current);
    if (IsEnd || Current.isAtStartOfLine())
      continue;
    if (Current.is(tok::raw_identifier)) {
      D.Name = Lexer::getSpelling(Current, SM, Pass.context().getLangOpts());
      IsEnd = Lex.LexFromRawLexer(Current);
    } else if (!Current.is(tok::numeric_constant)) {
      continue;
    }
    while (!IsEnd && !Current.isAtStartOfLine()) {
      D.Text += (Current.hasLeadingSpace() ? " " : "") +
                Lexer::getSpelling(Current, SM, Pass.context().getLangOpts());
      IsEnd = Lex.LexFromRawLexer(Current);
    }
    Found.push_back(std::move(D));
  }
  return Found;
}

std::vector<SourceLocation> findPragmaOperators(const ParsedPass &Pass, llvm::StringRef Word) {
  Lexer Lex = rawLexer(Pass);
  std::vector<SourceLocation> Found;
  SourceLocation Operator; // Of an operator whose text is yet to come.
  Token Current;
  bool IsEnd = false;
  while (!IsEnd) {
    IsEnd = Lex.LexFromRawLexer(Current);
    const std::string Spelling =
        Lexer::getSpelling(Current, Pass.sourceManager(), Pass.context().getLangOpts());
    if (Current.is(tok::raw_identifier) && (Spelling == "_Pragma" || Spelling == "__pragma"))
      Operator = Current.getLocation();
    else if (Operator.isValid() && llvm::StringRef(Spelling).contains(Word)) {
      Found.push_back(Operator);
      Operator = {};
    } else if (Current.isOneOf(tok::r_paren, tok::semi))
      Operator = {};
  }
  return Found;
}

std::vector<SourceLocation> findSuppressions(const ParsedPass &Pass) {
  Lexer Lex = rawLexer(Pass);
  Lex.SetCommentRetentionState(true);
  std::vector<SourceLocation> Found;
  Token Current;
  while (!Lex.LexFromRawLexer(Current)) {
    if (!Current.is(tok::comment))
      continue;
    std::string Spelling =
        Lexer::getSpelling(Current, Pass.sourceManager(), Pass.context().getLangOpts());
    if (llvm::StringRef(Spelling).contains("NOLINT"))
      Found.push_back(Current.getLocation());
  }
  return Found;
}

} // namespace cupel
