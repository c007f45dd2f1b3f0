//===- Asm.cpp - inline PTX -------------------------------------------------===//

#include "Rewrite.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace cupel;

namespace {

class AsmRewriter : public clang::RecursiveASTVisitor<AsmRewriter> {
public:
  explicit AsmRewriter(const RewriteContext &Context) : Context(Context) {}

  bool VisitGCCAsmStmt(clang::GCCAsmStmt *Asm) {
    if (Context.isOwn(Asm->getAsmLoc()))
      Context.refuse(Asm->getAsmLoc(), "inline PTX: " + Asm->getAsmString());
    return true;
  }

private:
  const RewriteContext &Context;
};

} // namespace

void cupel::rewriteAsm(const RewriteContext &Context) {
  AsmRewriter Rewriter(Context);
  for (clang::Decl *D : Context.Pass.topLevelDecls())
    Rewriter.TraverseDecl(D);
}
