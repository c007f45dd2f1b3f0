//===- BranchConditions.cpp - what an if says about the code behind it ------===//

#include "BranchConditions.h"
#include "ValueRanges.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cupel {

namespace {

/// Builtins whose value another compiler may choose differently, so nothing follows from ours.
class CompilerDependence : public DynamicRecursiveASTVisitor {
public:
  bool Found = false;
  bool VisitCallExpr(CallExpr *E) override {
    unsigned Builtin = E->getBuiltinCallee();
    Found |= Builtin == Builtin::BI__builtin_constant_p ||
             Builtin == Builtin::BI__builtin_is_constant_evaluated;
    return !Found;
  }
};

/// Whether a function may change one of its parameters, or let somebody else do it.
class ParameterChange : public DynamicRecursiveASTVisitor {
public:
  explicit ParameterChange(const ParmVarDecl *P) : Parameter(P) {}
  bool Found = false;

  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) override {
    return found(E->isAssignmentOp() && isParameter(E->getArg(0)));
  }
  bool VisitUnaryOperator(UnaryOperator *E) override {
    return found(E->getOpcode() == UO_AddrOf && isParameter(E->getSubExpr()));
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) override {
    const CXXMethodDecl *M = E->getMethodDecl();
    return found(M && isParameter(E->getImplicitObjectArgument()) &&
                 (!M->isConst() || M->getNameAsString() == "set_data"));
  }
  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *F = E->getDirectCallee();
    // The object of an operator is an argument without a parameter.
    unsigned Shift = isa<CXXOperatorCallExpr>(E) && isa_and_nonnull<CXXMethodDecl>(F) ? 1 : 0;
    for (unsigned I = Shift; I < E->getNumArgs(); ++I)
      if (isParameter(E->getArg(I)) && (!F || I - Shift >= F->getNumParams() ||
                                        isMutable(F->getParamDecl(I - Shift)->getType())))
        return found(true);
    return true;
  }
  bool VisitVarDecl(VarDecl *V) override {
    return found(V->getInit() && isParameter(V->getInit()) && isMutable(V->getType()));
  }

private:
  bool found(bool Yes) {
    Found |= Yes;
    return !Found;
  }
  static bool isMutable(QualType T) {
    return T->isReferenceType() && !T.getNonReferenceType().isConstQualified();
  }
  bool isParameter(const Expr *E) const {
    const auto *Ref = E ? dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()) : nullptr;
    return Ref && Ref->getDecl() == Parameter;
  }
  const ParmVarDecl *Parameter;
};

class CpuTest {
public:
  CpuTest(const FunctionDecl *F, const Symbols &Names) : Function(F), Names(Names) {}

  CpuProof judge(const Expr *E) const {
    E = E->IgnoreParenImpCasts();
    if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot) {
      CpuProof P = judge(Not->getSubExpr());
      return {P.WhenFalse, P.WhenTrue};
    }
    if (const auto *B = dyn_cast<BinaryOperator>(E))
      return judgeBinary(B->getOpcode(), B->getLHS(), B->getRHS());
    if (const auto *R = dyn_cast<CXXRewrittenBinaryOperator>(E))
      return judgeBinary(R->getOpcode(), R->getLHS(), R->getRHS());
    if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E); O && O->getNumArgs() == 2) {
      if (O->getOperator() == OO_EqualEqual)
        return judgeBinary(BO_EQ, O->getArg(0), O->getArg(1));
      if (O->getOperator() == OO_ExclaimEqual)
        return judgeBinary(BO_NE, O->getArg(0), O->getArg(1));
    }
    return judgeMethod(E);
  }

private:
  CpuProof judgeBinary(BinaryOperatorKind Op, const Expr *L, const Expr *R) const {
    if (Op == BO_LAnd || Op == BO_LOr) {
      CpuProof A = judge(L), B = judge(R);
      if (Op == BO_LAnd)
        return {A.WhenTrue || B.WhenTrue, A.WhenFalse && B.WhenFalse};
      return {A.WhenTrue && B.WhenTrue, A.WhenFalse || B.WhenFalse};
    }
    if (Op != BO_EQ && Op != BO_NE)
      return {};
    if (!isDeviceOfParameter(L))
      std::swap(L, R);
    std::optional<bool> Gpu = isDeviceOfParameter(L) ? namedDevice(R) : std::nullopt;
    if (!Gpu)
      return {};
    bool CpuIfTrue = *Gpu != (Op == BO_EQ);
    return {CpuIfTrue, !CpuIfTrue};
  }

  /// `x.is_cuda()`, `x.device().is_cpu()`.
  CpuProof judgeMethod(const Expr *E) const {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
    const CXXMethodDecl *M = Call ? Call->getMethodDecl() : nullptr;
    if (!M || !Names.isTorchDecl(M) || !M->getIdentifier())
      return {};
    const Expr *Object = Call->getImplicitObjectArgument();
    if (!isParameter(Object) && !isDeviceOfParameter(Object))
      return {};
    if (M->getName() == "is_cuda")
      return {false, true};
    if (M->getName() == "is_cpu")
      return {true, false};
    return {};
  }

  /// `x.device()` or `x.device().type()`.
  bool isDeviceOfParameter(const Expr *E) const {
    const auto *Call = dyn_cast<CXXMemberCallExpr>(E->IgnoreUnlessSpelledInSource());
    const CXXMethodDecl *M = Call ? Call->getMethodDecl() : nullptr;
    if (!M || !M->getIdentifier() || !Names.isTorchDecl(M))
      return false;
    if (M->getName() == "type")
      return isDeviceOfParameter(Call->getImplicitObjectArgument());
    return M->getName() == "device" && isParameter(Call->getImplicitObjectArgument());
  }

  /// True: the constant for the GPU; false: for the CPU.
  std::optional<bool> namedDevice(const Expr *E) const {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreUnlessSpelledInSource());
    if (!Ref || !Names.isTorchDecl(Ref->getDecl()))
      return std::nullopt;
    StringRef Name = Ref->getDecl()->getName();
    if (Name == "kCUDA" || Name == "CUDA")
      return true;
    if (Name == "kCPU" || Name == "CPU")
      return false;
    return std::nullopt;
  }

  bool isParameter(const Expr *E) const {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    const auto *P = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
    if (!P || P->getDeclContext() != Function || !Names.isTensorType(P->getType()))
      return false;
    ParameterChange Change(P);
    Change.TraverseStmt(Function->getBody());
    return !Change.Found;
  }

  const FunctionDecl *Function;
  const Symbols &Names;
};

} // namespace

std::optional<bool> constantCondition(const Expr *Condition, ASTContext &Context) {
  if (!Condition || Condition->isValueDependent() || Condition->containsErrors())
    return std::nullopt;
  CompilerDependence Dependence;
  Dependence.TraverseStmt(const_cast<Expr *>(Condition));
  if (Dependence.Found)
    return std::nullopt;
  Expr::EvalResult Result;
  if (Condition->EvaluateAsRValue(Result, Context) && !Result.HasSideEffects && Result.Val.isInt())
    return Result.Val.getInt().getBoolValue();
  return decidedByRanges(Condition, Context);
}

CpuProof cpuProof(const Expr *Condition, const FunctionDecl *Function, const Symbols &Names) {
  return Condition && Function ? CpuTest(Function, Names).judge(Condition) : CpuProof();
}

bool neverFallsThrough(const Stmt *S) {
  if (!S)
    return false;
  if (isa<ReturnStmt>(S))
    return true;
  if (const auto *E = dyn_cast<Expr>(S)) {
    E = E->IgnoreUnlessSpelledInSource();
    if (isa<CXXThrowExpr>(E))
      return true;
    const auto *Call = dyn_cast<CallExpr>(E);
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    return F && F->isNoReturn();
  }
  if (const auto *C = dyn_cast<CompoundStmt>(S))
    return llvm::any_of(C->body(), neverFallsThrough);
  if (const auto *If = dyn_cast<IfStmt>(S))
    return neverFallsThrough(If->getThen()) && neverFallsThrough(If->getElse());
  return false;
}

bool hasEntryLabel(const Stmt *S) {
  if (!S)
    return false;
  if (isa<LabelStmt, SwitchCase>(S))
    return true;
  return llvm::any_of(S->children(), hasEntryLabel);
}

bool hasGotoLabel(const Stmt *S) {
  return S && (isa<LabelStmt>(S) || llvm::any_of(S->children(), hasGotoLabel));
}

} // namespace cupel
