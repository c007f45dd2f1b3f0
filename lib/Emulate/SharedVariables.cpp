//===- SharedVariables.cpp - variables in shared memory ---------------------===//
//
// `__shared__ float v[4];` becomes `float (&v)[4] = sharedVariable<...>("v");`: the name gets
// parentheses and `&`, and an initializer follows the declarator. decltype gives the type in any
// form of declarator, and the type of a lambda, which is another one in each instance of a
// template, tells the variables apart.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"

using namespace cupel;

namespace {

class SharedRewriter : public clang::DynamicRecursiveASTVisitor {
public:
  explicit SharedRewriter(const RewriteContext &Context) : Context(Context) {}

  bool VisitVarDecl(clang::VarDecl *V) override {
    if (V->hasAttr<clang::CUDASharedAttr>() && Context.isOwn(V->getLocation()) && isLocal(V))
      rewriteLocal(V);
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *Reference) override {
    const auto *V = llvm::dyn_cast<clang::VarDecl>(Reference->getDecl());
    if (V && V->hasAttr<clang::CUDASharedAttr>() && !isLocal(V) &&
        Context.isOwn(Reference->getLocation()))
      rewriteUse(Reference, V);
    return true;
  }

private:
  /// A local extern declaration is one of the namespace in Clang's eyes, but stands in a function.
  static bool isLocal(const clang::VarDecl *V) {
    return V->getLexicalDeclContext()->isFunctionOrMethod();
  }

  void rewriteLocal(const clang::VarDecl *V) {
    // In the body of a macro the name is what the parameter is called there.
    std::optional<TokenPlace> End = placeOfToken(Context.Pass, V->getEndLoc());
    std::optional<TokenPlace> Name =
        End ? placeInContext(Context.Pass, V->getLocation(), End->Context) : std::nullopt;
    if (!Name)
      return Context.refuse(V->getLocation(), "a shared variable that a macro puts together");
    std::string Word = word(Name->Offset);
    bool IsDynamic = V->hasExternalStorage();
    // `__shared__` itself is a macro of CUDA's headers.
    std::optional<TokenPlace> Begin = placeOfToken(Context.Pass, V->getBeginLoc());
    if (!Begin)
      Begin = placeInContext(Context.Pass, V->getBeginLoc(), Name->Context);
    if (Begin)
      removeStorageClass(Begin->Offset, Name->Offset);
    Context.Edits.replace(Name->Offset, Word.size(), "(&" + Word + ")");
    unsigned After = End->Offset + tokenLength(Context.Pass, End->Offset);
    std::string Type = "decltype(" + Word + ")";
    Context.Edits.insert(After, IsDynamic ? " = ::cupel::emu::dynamicShared<" + Type + ">()"
                                          : " = ::cupel::emu::sharedVariable<" + Type +
                                                ", decltype([] {})>(\"" + Word + "\")");
  }

  void rewriteUse(const clang::DeclRefExpr *Reference, const clang::VarDecl *V) {
    std::optional<TextRange> Text =
        rangeOfTokens(Context.Pass, {Reference->getBeginLoc(), Reference->getLocation()});
    if (!Text)
      return Context.refuse(Reference->getLocation(), "a shared variable that a macro names");
    std::string Name = Context.text(Text->Begin, Text->End - Text->Begin).str();
    bool IsDynamic = V->hasExternalStorage();
    Context.Edits.insert(Text->Begin, IsDynamic ? "::cupel::emu::dynamicShared<decltype(("
                                                : "::cupel::emu::sharedVariable<decltype((");
    Context.Edits.insert(Text->End, IsDynamic ? "))>()"
                                              : ")), ::cupel::emu::VariableTag<&" + Name + ">>(\"" +
                                                    V->getNameAsString() + "\")");
  }

  std::string word(unsigned Offset) const {
    return Context.text(Offset, tokenLength(Context.Pass, Offset)).str();
  }

  /// A reference to what a call gives must be made in each call.
  void removeStorageClass(unsigned Begin, unsigned End) {
    for (unsigned At = Begin; At < End;) {
      unsigned Length = tokenLength(Context.Pass, At);
      llvm::StringRef Token = Context.text(At, Length);
      if (Token == "static" || Token == "extern")
        Context.Edits.replace(At, Length, "");
      At += std::max(1u, Length);
    }
    // A macro may hold it: `#define SHARED static __shared__`.
    if (End < Begin)
      if (llvm::StringRef First = word(Begin); First == "static" || First == "extern")
        Context.Edits.replace(Begin, First.size(), "");
  }

  const RewriteContext &Context;
};

} // namespace

void cupel::rewriteSharedVariables(const RewriteContext &Context) {
  SharedRewriter Rewriter(Context);
  for (clang::Decl *D : Context.Pass.topLevelDecls())
    Rewriter.TraverseDecl(D);
}
