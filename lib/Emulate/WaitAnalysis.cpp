//===- WaitAnalysis.cpp - whether a kernel's threads can wait ---------------===//

#include "WaitAnalysis.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace cupel;
using llvm::StringRef;

StringRef cupel::toString(Waits W) {
  switch (W) {
  case Waits::Never:
    return "Never";
  case Waits::Barriers:
    return "Barriers";
  case Waits::Anything:
    return "Anything";
  }
  llvm_unreachable("unknown kind of waiting");
}

static StringRef nameOf(const clang::NamedDecl *D) {
  return D && D->getIdentifier() ? D->getName() : "";
}

/// CUDA Programming Guide 10.6, 10.19 to 10.23: barriers, votes, matches, reductions, shuffles. In
/// a vote or shuffle the lanes of a warp wait for one another too.
static bool isWaitingName(StringRef Name) {
  for (StringRef Prefix :
       {"__syncthreads", "__syncwarp", "__shfl", "__any", "__all", "__ballot", "__match",
        "__reduce_", "__barrier_sync", "__activemask", "__nvvm_", "__pipeline_wait", "__cluster"})
    if (Name.starts_with(Prefix))
      return true;
  return false;
}

static bool isAtomicName(StringRef Name) {
  return Name.starts_with("atomic") || Name == "__ldcg" || Name == "__ldcv" || Name == "__ldlu";
}

static StringRef outerNamespace(const clang::Decl *D) {
  StringRef Outer;
  for (const clang::DeclContext *At = D->getDeclContext(); At; At = At->getParent())
    if (const auto *Space = llvm::dyn_cast<clang::NamespaceDecl>(At); Space && !Space->isInline())
      Outer = Space->getName();
  return Outer;
}

static bool isInStd(const clang::Decl *D) {
  for (const clang::DeclContext *At = D->getDeclContext(); At; At = At->getParent())
    if (const auto *Space = llvm::dyn_cast<clang::NamespaceDecl>(At))
      if (nameOf(Space) == "std")
        return true;
  return false;
}

/// What a header's function does, by its name.
static Waits ofHeader(const clang::NamedDecl *Function) {
  StringRef Space = outerNamespace(Function);
  // The whole grid's threads wait for one another, or for memory.
  if (nameOf(Function) == "this_grid" || nameOf(Function) == "__nanosleep")
    return Waits::Anything;
  bool Collective = Space == "cub" || Space == "cooperative_groups" || Space == "nvcuda" ||
                    (Space == "cuda" && !isInStd(Function));
  return Collective || isWaitingName(nameOf(Function)) ? Waits::Barriers : Waits::Never;
}

/// torch's device functions are written with CUDA's, as a submission's are: WARP_SHFL_DOWN,
/// at::native::cuda_utils::BlockReduceSum.
static bool isOfTorch(const clang::FunctionDecl *Function) {
  StringRef Space = outerNamespace(Function);
  return Function->hasAttr<clang::CUDADeviceAttr>() &&
         (Space == "at" || Space == "c10" || Space == "torch" ||
          (Space.empty() && nameOf(Function).starts_with("WARP_")));
}

namespace {

/// Whether an expression reads what other threads may write: atomics, volatile memory.
class SharedReadFinder : public clang::DynamicRecursiveASTVisitor {
public:
  explicit SharedReadFinder(bool CountExchange) : CountExchange(CountExchange) {}
  bool Found = false;

  bool VisitCallExpr(clang::CallExpr *Call) override {
    StringRef Name = nameOf(llvm::dyn_cast_or_null<clang::NamedDecl>(Call->getCalleeDecl()));
    if (const auto *Lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(Call->getCallee()))
      if (const clang::IdentifierInfo *Id = Lookup->getName().getAsIdentifierInfo())
        Name = Id->getName();
    Found |= isAtomicName(Name) && (CountExchange || Name != "atomicCAS");
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr *Call) override {
    Found |= Call->getMethodDecl() && outerNamespace(Call->getMethodDecl()) == "cuda";
    return true;
  }
  bool VisitExpr(clang::Expr *E) override {
    Found |=
        E->isGLValue() && E->getType().isVolatileQualified() && !llvm::isa<clang::DeclRefExpr>(E);
    if (const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(E))
      Found |= Reference->getType().isVolatileQualified();
    return true;
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt *Asm) override {
    Found |= StringRef(Asm->getAsmString()).contains("ld.");
    return true;
  }

private:
  bool CountExchange;
};

bool readsShared(const clang::Stmt *S, bool CountExchange = true) {
  SharedReadFinder Finder(CountExchange);
  Finder.TraverseStmt(const_cast<clang::Stmt *>(S));
  return Finder.Found;
}

/// Whether a lock is taken: an exchange of one constant for another, which fails until who has the
/// lock gives it back.
class LockFinder : public clang::DynamicRecursiveASTVisitor {
public:
  explicit LockFinder(const clang::ASTContext &Ast) : Ast(Ast) {}
  bool Found = false;

  bool VisitCallExpr(clang::CallExpr *Call) override {
    Found |= nameOf(Call->getDirectCallee()).starts_with("atomicCAS") && Call->getNumArgs() == 3 &&
             isConstant(Call->getArg(1)) && isConstant(Call->getArg(2));
    return true;
  }

private:
  bool isConstant(const clang::Expr *E) const {
    return !E->isValueDependent() && E->isEvaluatable(Ast);
  }
  const clang::ASTContext &Ast;
};

/// Whether a loop's condition hangs on a value that the loop reads from shared memory. The usual
/// loop around atomicCAS ends by itself: it fails only when another thread has got on.
class SpinFinder : public clang::DynamicRecursiveASTVisitor {
public:
  bool Found = false;

  bool isSpin(const clang::Expr *Condition, const clang::Stmt *Body) {
    bool Endless = !Condition;
    if (Condition && !Condition->isValueDependent() && !Condition->isTypeDependent()) {
      const auto *Literal = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(Condition->IgnoreImpCasts());
      const auto *Number = llvm::dyn_cast<clang::IntegerLiteral>(Condition->IgnoreImpCasts());
      Endless = (Literal && Literal->getValue()) || (Number && Number->getValue() != 0);
    }
    if (Endless)
      return readsShared(Body);
    if (readsShared(Condition))
      return true;
    collectVariables(Condition);
    Found = false;
    TraverseStmt(const_cast<clang::Stmt *>(Body));
    return Found;
  }

  bool VisitBinaryOperator(clang::BinaryOperator *Assign) override {
    if (const auto *To = llvm::dyn_cast<clang::DeclRefExpr>(Assign->getLHS()->IgnoreParens()))
      if (Assign->isAssignmentOp() && Variables.contains(To->getDecl()))
        Found |= readsShared(Assign->getRHS(), /*CountExchange=*/false);
    return true;
  }

private:
  void collectVariables(const clang::Stmt *S) {
    if (const auto *Reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(S))
      Variables.insert(Reference->getDecl());
    if (S)
      for (const clang::Stmt *Child : S->children())
        collectVariables(Child);
  }
  llvm::SmallPtrSet<const clang::ValueDecl *, 4> Variables;
};

} // namespace

namespace cupel {

class WaitFinder : public clang::DynamicRecursiveASTVisitor {
public:
  /// \p Pattern: generic code that has instances, which are looked at themselves; what is not known
  /// in it is known there.
  WaitFinder(WaitAnalysis &Analysis, bool Pattern) : Analysis(Analysis), Pattern(Pattern) {}
  Waits Result = Waits::Never;

  bool VisitCallExpr(clang::CallExpr *Call) override {
    if (const clang::FunctionDecl *Callee = Call->getDirectCallee()) {
      add(ofFunction(Callee));
      return true;
    }
    const clang::Expr *Target = Call->getCallee()->IgnoreParenImpCasts();
    if (const auto *Overloads = llvm::dyn_cast<clang::OverloadExpr>(Target)) {
      for (const clang::NamedDecl *D : Overloads->decls()) {
        D = D->getUnderlyingDecl();
        if (const auto *Template = llvm::dyn_cast<clang::FunctionTemplateDecl>(D))
          D = Template->getTemplatedDecl();
        if (const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D))
          add(ofFunction(Function));
      }
      if (const clang::IdentifierInfo *Name = Overloads->getName().getAsIdentifierInfo();
          Name && isWaitingName(Name->getName()))
        add(Waits::Barriers);
      return true;
    }
    if (llvm::isa<clang::CXXPseudoDestructorExpr>(Target))
      return true;
    // `T(x)` of a dependent type converts; a member of one may do anything.
    if (!Pattern)
      add(Waits::Anything);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *Made) override {
    if (Analysis.Pass.isInSubmission(Made->getConstructor()->getLocation()))
      add(ofFunction(Made->getConstructor()));
    return true;
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt *Asm) override {
    std::string Text = Asm->getAsmString();
    for (StringRef Sign :
         {"bar", "shfl", "vote", "wait", "redux", "match", "mma", "matrix", "elect"})
      if (StringRef(Text).contains(Sign))
        add(Waits::Barriers);
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt *Loop) override {
    return addLoop(Loop->getCond(), Loop->getBody());
  }
  bool VisitDoStmt(clang::DoStmt *Loop) override {
    return addLoop(Loop->getCond(), Loop->getBody());
  }
  bool VisitForStmt(clang::ForStmt *Loop) override {
    return addLoop(Loop->getCond(), Loop->getBody()) &&
           (!Loop->getInc() || addLoop(Loop->getCond(), Loop->getInc()));
  }

private:
  void add(Waits W) { Result = std::max(Result, W); }
  bool addLoop(const clang::Expr *Condition, const clang::Stmt *Body) {
    LockFinder Lock(Analysis.Pass.context());
    Lock.TraverseStmt(const_cast<clang::Stmt *>(Body));
    if (Lock.Found || SpinFinder().isSpin(Condition, Body))
      add(Waits::Anything);
    return true;
  }
  Waits ofFunction(const clang::FunctionDecl *Function) {
    const clang::FunctionDecl *Written = Function->getTemplateInstantiationPattern();
    // Clang declares a builtin where it is first used.
    if (Function->getBuiltinID() ||
        !Analysis.Pass.isInSubmission((Written ? Written : Function)->getLocation())) {
      Waits Known = ofHeader(Function);
      // None of them waits for memory that another block writes.
      return Known == Waits::Never && isOfTorch(Function)
                 ? std::min(Analysis.of(Function), Waits::Barriers)
                 : Known;
    }
    return Analysis.of(Function);
  }

  WaitAnalysis &Analysis;
  bool Pattern;
};

} // namespace cupel

Waits WaitAnalysis::of(const clang::FunctionDecl *Function) {
  const clang::FunctionDecl *Body = nullptr;
  if (!Function->hasBody(Body))
    if (const clang::FunctionDecl *Written = Function->getTemplateInstantiationPattern())
      Written->hasBody(Body);
  if (!Body)
    return Waits::Anything;
  // Recursion adds nothing to what is being looked at.
  auto [It, IsNew] = Known.insert({Body, Waits::Never});
  if (!IsNew)
    return It->second;

  std::vector<const clang::FunctionDecl *> Instances;
  if (const clang::FunctionTemplateDecl *Template = Body->getDescribedFunctionTemplate())
    for (const clang::FunctionDecl *Instance : Template->specializations())
      if (Instance->hasBody())
        Instances.push_back(Instance);
  WaitFinder Finder(*this, /*Pattern=*/!Instances.empty());
  Finder.TraverseStmt(Body->getBody());
  Waits Result = Finder.Result;
  for (const clang::FunctionDecl *Instance : Instances)
    Result = std::max(Result, of(Instance));
  Known[Body] = Result;
  return Result;
}
