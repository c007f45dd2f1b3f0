//===- VariableScan.cpp - which variables of a function can be followed -----===//

#include "VariableScan.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cupel {

namespace {

const VarDecl *variableOf(const Expr *E) {
  const auto *Ref = E ? dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()) : nullptr;
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

bool isWritableReference(QualType T) {
  return T->isReferenceType() && !T.getNonReferenceType().isConstQualified();
}

bool changesShape(StringRef Method) {
  return llvm::StringSwitch<bool>(Method)
      .Cases({"resize_", "resize_as_", "set_", "set_data", "transpose_", "t_", "squeeze_"}, true)
      .Cases({"unsqueeze_", "as_strided_", "swapdims_", "swapaxes_"}, true)
      .Default(false);
}

/// Assignments alone, with what they assign.
class Assignments : public DynamicRecursiveASTVisitor {
public:
  llvm::SmallVector<const VarDecl *, 4> Found;

  bool VisitBinaryOperator(BinaryOperator *E) override {
    return add(E->isAssignmentOp() ? E->getLHS() : nullptr);
  }
  bool VisitUnaryOperator(UnaryOperator *E) override {
    return add(E->isIncrementDecrementOp() ? E->getSubExpr() : nullptr);
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) override {
    return add(E->isAssignmentOp() ? E->getArg(0) : nullptr);
  }

private:
  bool add(const Expr *Target) {
    if (const VarDecl *V = variableOf(Target))
      Found.push_back(V);
    return true;
  }
};

class Scanner : public DynamicRecursiveASTVisitor {
public:
  Scanner(const Symbols &Names, unsigned Depth) : Names(Names), Depth(Depth) {}
  VariableScan Result;

  bool VisitUnaryOperator(UnaryOperator *E) override {
    return wild(E->getOpcode() == UO_AddrOf ? E->getSubExpr() : nullptr);
  }
  bool VisitVarDecl(VarDecl *V) override {
    if (const VarDecl *Other = variableOf(V->getInit()); Other && V->getType()->isReferenceType())
      Aliases.emplace_back(V, Other);
    return wild(isWritableReference(V->getType()) ? V->getInit() : nullptr);
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) override {
    const VarDecl *V = S->getLoopVariable();
    return wild(V && isWritableReference(V->getType()) ? S->getRangeInit() : nullptr);
  }

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) override {
    const CXXMethodDecl *M = E->getMethodDecl();
    if (!M)
      return true;
    if (M->getIdentifier() && changesShape(M->getName()))
      Result.ChangesShapes = true;
    return M->isConst() ? true : wild(E->getImplicitObjectArgument());
  }

  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *F = E->getDirectCallee();
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E)) {
      const auto *M = dyn_cast_or_null<CXXMethodDecl>(F);
      if (O->isAssignmentOp())
        return true; // By Assignments.
      if (M && !M->isConst() && O->getNumArgs() != 0)
        wild(O->getArg(0));
      return passArguments(E, F, M ? 1 : 0);
    }
    return passArguments(E, F, 0);
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    const CXXConstructorDecl *C = E->getConstructor();
    for (unsigned I = 0; I < E->getNumArgs() && I < C->getNumParams(); ++I)
      if (isWritableReference(C->getParamDecl(I)->getType()) && !C->isCopyOrMoveConstructor())
        wild(E->getArg(I));
    return true;
  }

  bool TraverseLambdaExpr(LambdaExpr *E) override {
    Assignments Inside;
    Inside.TraverseStmt(E->getBody());
    for (const VarDecl *V : Inside.Found)
      Result.Wild.insert(V);
    for (const LambdaCapture &C : E->captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByCopy)
        if (const auto *V = dyn_cast<VarDecl>(C.getCapturedVar()))
          Copied.push_back(V);
    return DynamicRecursiveASTVisitor::TraverseLambdaExpr(E);
  }

  void finish(Stmt *Body) {
    Assignments All;
    All.TraverseStmt(Body);
    Result.Assigned.insert(All.Found.begin(), All.Found.end());
    // The copy in the lambda is older than the variable may be.
    for (const VarDecl *V : Copied)
      if (Result.Assigned.contains(V))
        Result.Wild.insert(V);
    for (const auto &[Alias, Of] : Aliases)
      if (Result.Assigned.contains(Of))
        Result.Wild.insert(Alias);
  }

private:
  bool wild(const Expr *E) {
    if (const VarDecl *V = variableOf(E))
      Result.Wild.insert(V);
    return true;
  }

  bool passArguments(CallExpr *E, const FunctionDecl *F, unsigned Shift) {
    for (unsigned I = Shift; I < E->getNumArgs(); ++I) {
      const ParmVarDecl *P =
          F && I - Shift < F->getNumParams() ? F->getParamDecl(I - Shift) : nullptr;
      if (variableOf(E->getArg(I)) && E->getArg(I)->isLValue() &&
          (!P || isWritableReference(P->getType())) && mayWrite(F, P))
        wild(E->getArg(I));
    }
    return true;
  }

  /// Whether \p F may write to what its reference \p P is bound to.
  bool mayWrite(const FunctionDecl *F, const ParmVarDecl *P) {
    const FunctionDecl *Definition = F ? F->getDefinition() : nullptr;
    if (!P || !Definition || !Names.isDefinedHere(F) || Depth == 0)
      return true;
    const VariableScan Inside = scanVariables(Definition, Names, Depth - 1);
    const ParmVarDecl *Own = Definition->getParamDecl(P->getFunctionScopeIndex());
    return Inside.Assigned.contains(Own) || Inside.Wild.contains(Own) || Inside.ChangesShapes;
  }

  const Symbols &Names;
  unsigned Depth;
  std::vector<const VarDecl *> Copied;
  std::vector<std::pair<const VarDecl *, const VarDecl *>> Aliases;
};

} // namespace

VariableScan scanVariables(const FunctionDecl *F, const Symbols &Names, unsigned Depth) {
  Scanner S(Names, Depth);
  if (Stmt *Body = F->getBody()) {
    S.TraverseStmt(Body);
    S.finish(Body);
  }
  return std::move(S.Result);
}

llvm::SmallVector<const VarDecl *, 4> assignedIn(const Stmt *S) {
  Assignments All;
  All.TraverseStmt(const_cast<Stmt *>(S));
  return std::move(All.Found);
}

} // namespace cupel
