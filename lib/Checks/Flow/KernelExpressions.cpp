//===- KernelExpressions.cpp - what a kernel's expressions name -------------===//

#include "KernelExpressions.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cupel {

const VarDecl *rootOf(const Expr *E) {
  while (E) {
    E = E->IgnoreParenCasts();
    if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
      return dyn_cast<VarDecl>(Reference->getDecl());
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase();
    else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      E = Subscript->getBase();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      E = Unary->getSubExpr();
    else if (const auto *Sum = dyn_cast<BinaryOperator>(E))
      E = Sum->isAdditiveOp() && !Sum->getLHS()->getType()->isPointerType() ? Sum->getRHS()
          : Sum->isAdditiveOp() || Sum->isAssignmentOp()                    ? Sum->getLHS()
                                                                            : nullptr;
    else
      return nullptr;
  }
  return nullptr;
}

bool isBehindPointer(const Expr *E) {
  for (E = E->IgnoreParenCasts();;) {
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Subscript->getBase()->IgnoreParenImpCasts();
      if (E->getType()->isPointerType())
        return true;
    } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->isArrow())
        return true;
      E = Member->getBase()->IgnoreParenCasts();
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      return Unary->getOpcode() == UO_Deref;
    } else {
      const auto *Reference = dyn_cast<DeclRefExpr>(E);
      return !Reference || Reference->getDecl()->getType()->isReferenceType();
    }
  }
}

bool isZero(const Expr *E, const ASTContext &AST) {
  Expr::EvalResult Result;
  if (E->isValueDependent() || !E->getType()->isArithmeticType() ||
      !E->EvaluateAsRValue(Result, AST) || Result.HasSideEffects)
    return false;
  return (Result.Val.isFloat() && Result.Val.getFloat().isZero()) ||
         (Result.Val.isInt() && Result.Val.getInt() == 0);
}

namespace {

struct NameFinder : DynamicRecursiveASTVisitor {
  NameFinder() { ShouldVisitTemplateInstantiations = true; }
  std::set<const FunctionDecl *> Functions;
  KernelEffects::Variables Found;
  bool VisitDeclRefExpr(DeclRefExpr *Reference) override { return visit(Reference->getDecl()); }
  bool VisitMemberExpr(MemberExpr *Member) override { return visit(Member->getMemberDecl()); }
  bool visit(ValueDecl *D) {
    if (isDeviceVariable(D))
      Found.insert(cast<VarDecl>(D));
    const FunctionDecl *Definition = nullptr;
    const auto *F = dyn_cast<FunctionDecl>(D);
    if (F && F->hasBody(Definition) && Functions.insert(Definition).second)
      TraverseStmt(Definition->getBody());
    return true;
  }
};

} // namespace

KernelEffects::Variables deviceVariablesIn(const FunctionDecl &Kernel) {
  NameFinder Search;
  Search.TraverseStmt(Kernel.getBody());
  return Search.Found;
}

} // namespace cupel
