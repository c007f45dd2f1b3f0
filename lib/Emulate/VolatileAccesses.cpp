//===- VolatileAccesses.cpp - reads and writes of volatile objects ----------===//
//
// `while (*flag == 0)` becomes `while (observed(*flag) == 0)` where the object is volatile.
// Threads of a block may wait for such a flag, and what the instrumentation calls does not tell it
// from data, which they may not read without a barrier.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/SmallSet.h"

using namespace cupel;

namespace {

class VolatileRewriter : public clang::DynamicRecursiveASTVisitor {
public:
  explicit VolatileRewriter(const RewriteContext &Context) : Context(Context) {}

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *Cast) override {
    if (Cast->getCastKind() == clang::CK_LValueToRValue)
      wrap(Cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator *Assign) override {
    if (Assign->isAssignmentOp())
      wrap(Assign->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *Step) override {
    if (Step->isIncrementDecrementOp())
      wrap(Step->getSubExpr());
    return true;
  }
  /// Its text is rewritten as a whole.
  bool TraverseGCCAsmStmt(clang::GCCAsmStmt *) override { return true; }

private:
  /// A variable of the thread's own, which is no flag.
  static bool isOwn(const clang::Expr *E) {
    const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(E);
    const auto *V = Reference ? llvm::dyn_cast<clang::VarDecl>(Reference->getDecl()) : nullptr;
    return V && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
           !V->hasAttr<clang::CUDASharedAttr>();
  }

  void wrap(const clang::Expr *E) {
    E = E->IgnoreParens();
    if (!E->getType().isVolatileQualified() || E->refersToBitField() || isOwn(E) ||
        !Context.isOwn(E->getBeginLoc()))
      return;
    std::optional<TextRange> Text = rangeOfTokens(Context.Pass, E->getSourceRange());
    if (!Text)
      return;
    // Of a volatile object in another, such as the pointer to it, the outer one counts.
    if (!Begins.insert(Text->Begin).second || !Ends.insert(Text->End).second)
      return;
    Context.Edits.surround(Text->Begin, Text->End, " ::cupel::emu::observed(", ")");
  }

  const RewriteContext &Context;
  llvm::SmallSet<unsigned, 16> Begins, Ends;
};

} // namespace

void cupel::rewriteVolatileAccesses(const RewriteContext &Context) {
  VolatileRewriter Rewriter(Context);
  for (clang::Decl *D : Context.Pass.topLevelDecls())
    Rewriter.TraverseDecl(D);
}
