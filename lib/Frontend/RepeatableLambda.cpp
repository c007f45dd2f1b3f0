//===- RepeatableLambda.cpp - a lambda whose text can stand elsewhere --------===//

#include "RepeatableLambda.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"

using namespace cupel;

namespace {

/// Looks for names of the function around a lambda.
class OuterNames : public clang::DynamicRecursiveASTVisitor {
public:
  explicit OuterNames(const clang::CXXMethodDecl *Operator) : Operator(Operator) {}
  bool Found = false;

  bool VisitDeclRefExpr(clang::DeclRefExpr *E) override { return look(E->getDecl()); }
  bool VisitTagTypeLoc(clang::TagTypeLoc T) override { return look(T.getDecl()); }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc T) override { return look(T.getDecl()); }

private:
  bool look(const clang::Decl *D) {
    const clang::DeclContext *Function = D->getParentFunctionOrMethod();
    // Of a function that is not the lambda's own, nor one inside of it.
    if (Function && !Operator->Equals(Function) && !Operator->Encloses(Function))
      Found = true;
    return !Found;
  }
  const clang::CXXMethodDecl *Operator;
};

} // namespace

/// Whether \p Function, whose body is nothing but calls, is the last declaration of the source.
static bool endsSource(const clang::FunctionDecl *Function, const ParsedPass &Pass) {
  const auto *Body = llvm::dyn_cast_or_null<clang::CompoundStmt>(Function->getBody());
  if (!Body || !Function->getDeclContext()->isTranslationUnit() || Pass.topLevelDecls().empty())
    return false;
  // A declaration in it can make a name mean something else.
  if (!llvm::all_of(Body->body(), [](const clang::Stmt *S) { return llvm::isa<clang::Expr>(S); }))
    return false;
  return Pass.topLevelDecls().back()->getEndLoc() == Function->getEndLoc();
}

std::string cupel::repeatableText(const clang::CXXMethodDecl *Operator,
                                  const clang::FunctionDecl *Enclosing, const ParsedPass &Pass) {
  const clang::CXXRecordDecl *Lambda = Operator->getParent();
  const clang::SourceManager &Sources = Pass.sourceManager();
  if (!Enclosing || Lambda->getParentFunctionOrMethod() != Enclosing ||
      !endsSource(Enclosing, Pass) || !Lambda->isCapturelessLambda() || Lambda->isGenericLambda())
    return "";
  const clang::SourceLocation Begin = Lambda->getBeginLoc(), End = Operator->getEndLoc();
  if (Begin.isMacroID() || End.isMacroID() || Sources.getFileID(Begin) != Sources.getMainFileID())
    return "";
  // The tail's own words (lib/Build/Adapter.cpp).
  for (llvm::StringRef Word : {"static", "auto", "const"})
    if (Pass.preprocessor().getMacroInfo(Pass.preprocessor().getIdentifierInfo(Word)))
      return "";
  std::string Text = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(Begin, End),
                                                 Sources, Pass.context().getLangOpts())
                         .str();
  // From the lambda on no directive changes a macro, and it asks for no place of its own
  // (__LINE__). Launches are rewritten for the emulation in the submission's text alone.
  llvm::StringRef Rest =
      Sources.getBufferData(Sources.getMainFileID()).substr(Sources.getFileOffset(Begin));
  if (Rest.contains('#') || llvm::StringRef(Text).contains("__") ||
      llvm::StringRef(Text).contains("<<<"))
    return "";
  OuterNames Names(Operator);
  Names.TraverseCXXMethodDecl(const_cast<clang::CXXMethodDecl *>(Operator));
  return Names.Found ? "" : Text;
}
