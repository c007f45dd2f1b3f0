//===- HostCopies.cpp - copies that replace a whole tensor ------------------===//

#include "HostFlow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

static const VarDecl *named(const Expr *E) {
  const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

/// The variable x of `x.data_ptr()`, where the expression is nothing else.
static const VarDecl *startOf(const Expr *Pointer) {
  const auto *Call = dyn_cast<CXXMemberCallExpr>(Pointer->IgnoreParenCasts());
  const CXXMethodDecl *Method = Call ? Call->getMethodDecl() : nullptr;
  if (!Method || !Method->getDeclName().isIdentifier() || !Method->getName().ends_with("data_ptr"))
    return nullptr;
  return named(Call->getImplicitObjectArgument());
}

/// The variable x of `torch::empty_like(x)` that \p V is initialised with.
static const VarDecl *modelOf(const VarDecl *V) {
  const Expr *Initial = V ? V->getInit() : nullptr;
  while (Initial) {
    const Expr *Inner = Initial->IgnoreUnlessSpelledInSource();
    if (Inner == Initial)
      break;
    Initial = Inner;
  }
  const auto *Call = dyn_cast_if_present<CallExpr>(Initial);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F && F->getDeclName().isIdentifier() && F->getName() == "empty_like"
             ? named(Call->getArg(0))
             : nullptr;
}

namespace {

/// Looks for anything that changes or gives away a variable.
struct ChangeFinder : DynamicRecursiveASTVisitor {
  const VarDecl *Variable = nullptr;
  bool IsChanged = false;
  bool VisitBinaryOperator(BinaryOperator *Operator) override {
    IsChanged |= Operator->isAssignmentOp() && named(Operator->getLHS()) == Variable;
    return !IsChanged;
  }
  bool VisitUnaryOperator(UnaryOperator *Operator) override {
    IsChanged |= (Operator->isIncrementDecrementOp() || Operator->getOpcode() == UO_AddrOf) &&
                 named(Operator->getSubExpr()) == Variable;
    return !IsChanged;
  }
};

/// Whether \p E is a product with all elements of \p A or \p B in it.
struct SizeReader {
  const VarDecl *A, *B;
  const Stmt *Body;
  bool HasElements = false;

  bool read(const Expr *E, unsigned Depth = 0) {
    E = E->IgnoreParenCasts();
    if (Depth > 8)
      return false;
    if (isa<IntegerLiteral, UnaryExprOrTypeTraitExpr>(E))
      return true;
    if (const auto *Product = dyn_cast<BinaryOperator>(E))
      return Product->getOpcode() == BO_Mul && read(Product->getLHS(), Depth + 1) &&
             read(Product->getRHS(), Depth + 1);
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
      static const llvm::StringSet<> Counts = {"numel", "nbytes"};
      static const llvm::StringSet<> Widths = {"element_size", "itemsize"};
      const CXXMethodDecl *Method = Call->getMethodDecl();
      const VarDecl *Of = named(Call->getImplicitObjectArgument());
      if (!Method || !Method->getDeclName().isIdentifier() || (Of != A && Of != B))
        return false;
      HasElements |= Counts.contains(Method->getName());
      return Counts.contains(Method->getName()) || Widths.contains(Method->getName());
    }
    const VarDecl *V = named(E);
    if (!V || !V->getInit() || isa<ParmVarDecl>(V) || V->hasGlobalStorage())
      return false;
    ChangeFinder Finder;
    Finder.Variable = V;
    Finder.TraverseStmt(const_cast<Stmt *>(Body));
    return !Finder.IsChanged && read(V->getInit(), Depth + 1);
  }
};

} // namespace

/// Whether \p Copy is `cudaMemcpy(y.data_ptr(), x.data_ptr(), ...)` over all of y, which was made
/// by `empty_like(x)`.
bool HostFlow::copiesWhole(const CallExpr *Copy) const {
  if (Copy->getNumArgs() < 3)
    return false;
  const VarDecl *Target = startOf(Copy->getArg(0)), *Model = startOf(Copy->getArg(1));
  if (!Target || !Model || modelOf(Target) != Model)
    return false;
  SizeReader Reader{Target, Model, Frames.back().Function->getBody()};
  return Reader.read(Copy->getArg(2)) && Reader.HasElements;
}

} // namespace cupel
