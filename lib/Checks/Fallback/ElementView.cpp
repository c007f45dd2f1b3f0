//===- ElementView.cpp - x[0] that only says where a kernel works -----------===//

#include "ElementView.h"
#include "AllowList.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cupel {

namespace {

/// Looks for a variable that is made of a call, and for a harmless method that is called on it.
class HolderFinder : public DynamicRecursiveASTVisitor {
public:
  HolderFinder(const Expr *Call, const Symbols &Names) : Call(Call), Names(Names) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool Found = false;

  bool VisitVarDecl(VarDecl *V) override {
    Found |= V->isLocalVarDecl() && !V->isStaticLocal() && V->getInit() &&
             V->getInit()->IgnoreUnlessSpelledInSource() == Call;
    return !Found;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) override {
    const CXXMethodDecl *M = E->getMethodDecl();
    Found |= M && M->getIdentifier() && Names.isTorchDecl(M) &&
             allowanceOfOperator(M->getName()) == Allowance::Allowed &&
             !Names.isTensorType(E->getType()) &&
             E->getImplicitObjectArgument()->IgnoreUnlessSpelledInSource() == Call;
    return !Found;
  }

private:
  const Expr *Call;
  const Symbols &Names;
};

} // namespace

bool isElementView(const FunctionUse &Use, const Symbols &Names) {
  const auto *Call = dyn_cast_or_null<CXXOperatorCallExpr>(Use.Site);
  if (!Call || Call->getOperator() != OO_Subscript || Use.How != FunctionUse::Kind::Call ||
      Use.Callee->getNumParams() != 1 || !Use.Callee->getParamDecl(0)->getType()->isIntegerType() ||
      !Use.Caller || !Use.Caller->function())
    return false;
  HolderFinder Search(Call, Names);
  Search.TraverseStmt(Use.Caller->function()->getBody());
  return Search.Found;
}

} // namespace cupel
