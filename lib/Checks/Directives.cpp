//===- Directives.cpp - preprocessor lines and comments of a submission -----===//

#include "Directives.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace cupel {

Lexer rawLexer(const ParsedPass &Pass) {
  SourceManager &SM = Pass.sourceManager();
  FileID Main = SM.getMainFileID();
  return Lexer(Main, SM.getBufferOrFake(Main), SM, Pass.context().getLangOpts());
}

/// False at the end.
static bool lex(Lexer &Lex, Token &Current) {
  Lex.LexFromRawLexer(Current);
  return Current.isNot(tok::eof);
}

std::vector<Directive> findDirectives(const ParsedPass &Pass) {
  SourceManager &SM = Pass.sourceManager();
  Lexer Lex = rawLexer(Pass);
  std::vector<Directive> Found;
  Token Current;
  bool IsThere = lex(Lex, Current);
  while (IsThere) {
    if (!Current.is(tok::hash) || !Current.isAtStartOfLine()) {
      IsThere = lex(Lex, Current);
      continue;
    }
    Directive D;
    D.Location = Current.getLocation();
    IsThere = lex(Lex, Current);
    if (!IsThere || Current.isAtStartOfLine())
      continue;
    if (Current.is(tok::raw_identifier)) {
      D.Name = Lexer::getSpelling(Current, SM, Pass.context().getLangOpts());
      IsThere = lex(Lex, Current);
    } else if (!Current.is(tok::numeric_constant)) {
      continue;
    }
    while (IsThere && !Current.isAtStartOfLine()) {
      D.Text += (Current.hasLeadingSpace() ? " " : "") +
                Lexer::getSpelling(Current, SM, Pass.context().getLangOpts());
      IsThere = lex(Lex, Current);
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
  while (lex(Lex, Current)) {
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
  while (lex(Lex, Current)) {
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
