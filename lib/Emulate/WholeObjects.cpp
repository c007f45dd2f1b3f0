//===- WholeObjects.cpp - copies of whole objects through pointers ----------===//
//
// `float4 v = *p;` becomes `float4 v = whole(*p);`. A GPU loads the object by one instruction,
// which needs its alignment. Clang copies its members, and its UndefinedBehaviorSanitizer checks no
// such copy; the reference that `whole` takes, it does.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace cupel;

namespace {

class CopyRewriter : public clang::DynamicRecursiveASTVisitor {
public:
  explicit CopyRewriter(const RewriteContext &Context) : Context(Context) {}

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *Made) override {
    if (Made->getNumArgs() == 1 && Made->getConstructor()->isCopyOrMoveConstructor() &&
        Made->getConstructor()->isTrivial())
      wrap(Made->getArg(0));
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *Call) override {
    const auto *Method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(Call->getDirectCallee());
    if (Call->getOperator() == clang::OO_Equal && (!Method || Method->isTrivial()))
      for (const clang::Expr *Argument : Call->arguments())
        wrap(Argument);
    return true;
  }
  /// In the form that is written, in which an element is no copy yet.
  bool VisitInitListExpr(clang::InitListExpr *List) override {
    for (const clang::Expr *Element : List->inits())
      if (Element->isGLValue())
        wrap(Element);
    return true;
  }

  // In a template whose arguments decide the type nothing is a copy yet.
  bool VisitBinaryOperator(clang::BinaryOperator *Assign) override {
    if (Assign->getOpcode() == clang::BO_Assign && Assign->isTypeDependent()) {
      wrap(Assign->getLHS());
      wrap(Assign->getRHS());
    }
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *V) override {
    if (V->getInit() && V->getInit()->isTypeDependent() && !V->getType()->isReferenceType())
      wrap(V->getInit());
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt *Return) override {
    if (Return->getRetValue() && Return->getRetValue()->isTypeDependent())
      wrap(Return->getRetValue());
    return true;
  }

private:
  void wrap(const clang::Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Either = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
      wrap(Either->getTrueExpr());
      wrap(Either->getFalseExpr());
      return;
    }
    const clang::Expr *Base = nullptr;
    if (const auto *Unary = llvm::dyn_cast<clang::UnaryOperator>(E))
      Base = Unary->getOpcode() == clang::UO_Deref ? Unary->getSubExpr() : nullptr;
    else if (const auto *Subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(E))
      Base = Subscript->getLHS();
    // A variable has its alignment.
    if (!Base || Base->IgnoreParenImpCasts()->getType()->isArrayType() ||
        llvm::isa<clang::CXXThisExpr>(Base->IgnoreParenImpCasts()))
      return;
    clang::QualType Object = Base->getType()->getPointeeType();
    if (!Base->getType()->isPointerType() || !(Object->isDependentType() || Object->isRecordType()))
      return;
    if (!Context.isOwn(E->getBeginLoc()))
      return;
    std::optional<TextRange> Text = rangeOfTokens(Context.Pass, E->getSourceRange());
    if (!Text)
      return;
    Context.Edits.insert(Text->Begin, " ::cupel::emu::whole(");
    Context.Edits.insert(Text->End, ")");
  }

  const RewriteContext &Context;
};

} // namespace

void cupel::rewriteCopies(const RewriteContext &Context) {
  CopyRewriter Rewriter(Context);
  for (clang::Decl *D : Context.Pass.topLevelDecls())
    Rewriter.TraverseDecl(D);
}
