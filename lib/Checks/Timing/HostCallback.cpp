//===- HostCallback.cpp - timing-host-callback -----------------------------===//

#include "HostCallback.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cupel {

HostCallbackCheck::HostCallbackCheck()
    : Check("timing-host-callback", Level::Reject,
            "Host function that CUDA or a deleter calls later") {}

/// Whether a launch is reached from \p Unit, through functions of the submission.
static bool reachesLaunch(const CodeUnit *Unit, CheckContext &Context,
                          llvm::SmallPtrSetImpl<const CodeUnit *> &Seen) {
  if (!Unit || !Seen.insert(Unit).second)
    return false;
  if (llvm::any_of(Unit->Uses, [](const auto &Use) {
        return Use->Callee && Use->Callee->template hasAttr<clang::CUDAGlobalAttr>();
      }))
    return true;
  return llvm::any_of(Unit->Uses, [&](const auto &Use) {
    return reachesLaunch(Context.program().unitOf(Use->Callee), Context, Seen);
  });
}

namespace {

/// Functions and lambdas that stand in a call's arguments, also by the name of a variable.
struct CallableFinder : clang::DynamicRecursiveASTVisitor {
  llvm::SmallVector<const clang::FunctionDecl *, 4> Found;

  bool VisitExpr(clang::Expr *E) override {
    if (E->getType().isNull()) // A list of initialisers that Clang made nothing of.
      return true;
    const clang::CXXRecordDecl *Record = E->getType()->getAsCXXRecordDecl();
    if (Record && Record->isLambda())
      Found.push_back(Record->getLambdaCallOperator());
    if (const auto *Reference = llvm::dyn_cast<clang::DeclRefExpr>(E))
      if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(Reference->getDecl()))
        Found.push_back(F);
    return true;
  }
};

} // namespace

/// The function among the arguments of \p Use that launches a kernel when torch calls it.
static const clang::FunctionDecl *launchInDeleter(const FunctionUse &Use, CheckContext &Context) {
  CallableFinder Callables;
  if (Use.Site)
    Callables.TraverseStmt(const_cast<clang::Expr *>(Use.Site));
  for (const clang::FunctionDecl *F : Callables.Found) {
    llvm::SmallPtrSet<const CodeUnit *, 8> Seen;
    if (F != Use.Callee && reachesLaunch(Context.program().unitOf(F), Context, Seen))
      return F;
  }
  return nullptr;
}

void HostCallbackCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Reject,
                  {"cudaLaunchHostFunc", "cudaStreamAddCallback", "cuLaunchHostFunc",
                   "cuStreamAddCallback", "cudaGraphAddHostNode", "cudaUserObjectCreate"},
                  "runs host code when the call may be over");
  // torch calls a deleter when the tensor dies: in the next call, say.
  forEachHostUse(Context, [&](const FunctionUse &Use, llvm::StringRef Name) {
    if (Name != "at::from_blob" && Name != "torch::from_blob" && Name != "c10::DataPtr::DataPtr" &&
        Name != "c10::InefficientStdFunctionContext::makeDataPtr" &&
        Name != "at::TensorMaker::deleter")
      return;
    if (const clang::FunctionDecl *Worker = launchInDeleter(Use, Context)) {
      Report &R = Context.report(*this, Level::Reject, Use,
                                 "the deleter that is given to '" + Name + "' launches a kernel");
      Context.note(R, Worker->getLocation(), "here is the deleter");
    }
  });
}

} // namespace cupel
