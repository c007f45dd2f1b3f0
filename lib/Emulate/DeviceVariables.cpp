//===- DeviceVariables.cpp - variables of the device ------------------------===//
//
// In code of the host, `k<<<1, 1>>>(table)` becomes `k<<<1, 1>>>(named((table)))` where the name is
// a `__device__` or `__constant__` variable's. On a GPU it means another variable there, which no
// kernel can reach and which does not have the device's values: "the address obtained by taking the
// address of a __device__, __shared__ or __constant__ variable can only be used in device code"
// (programming guide, "__device__, __shared__, __managed__ and __constant__ Memory Qualifiers").
//
// Which variables are constant is told to the run-time at the end of the text, since const_cast
// lets a kernel write to them.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/SaveAndRestore.h"
#include <set>

using namespace cupel;

/// Whether the attribute is written; Clang gives constants some of its own.
template <class Attribute> static bool isMarked(const clang::Decl *D) {
  const auto *Mark = D->getAttr<Attribute>();
  return Mark && !Mark->isImplicit();
}

/// Whether its code runs on the device alone.
static bool runsOnDevice(const clang::FunctionDecl *F) {
  return F->hasAttr<clang::CUDAGlobalAttr>() ||
         (F->hasAttr<clang::CUDADeviceAttr>() && !F->hasAttr<clang::CUDAHostAttr>());
}

namespace {

class NameRewriter : public clang::DynamicRecursiveASTVisitor {
public:
  NameRewriter(const RewriteContext &Context, std::set<std::string> &Constants)
      : Context(Context), Constants(Constants), Mangler(Context.Pass.context()) {}

  bool TraverseDecl(clang::Decl *D) override {
    llvm::SaveAndRestore Outer(OnDevice), OuterStart(AtStart);
    if (const auto *F = llvm::dyn_cast_or_null<clang::FunctionDecl>(D)) {
      OnDevice |= runsOnDevice(F);
      AtStart = false;
    } else if (const auto *V = llvm::dyn_cast_or_null<clang::VarDecl>(D)) {
      OnDevice |= isOfDevice(V);
      AtStart = V->hasGlobalStorage() && !V->isConstexpr();
    }
    return clang::DynamicRecursiveASTVisitor::TraverseDecl(D);
  }
  bool TraverseLambdaExpr(clang::LambdaExpr *Lambda) override {
    llvm::SaveAndRestore Outer(OnDevice, OnDevice || runsOnDevice(Lambda->getCallOperator()));
    return clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
  }

  // An array's size and a template's argument are constants everywhere.
  bool TraverseTypeLoc(clang::TypeLoc Type, bool TraverseQualifier = true) override {
    llvm::SaveAndRestore OuterStart(AtStart, false);
    return clang::DynamicRecursiveASTVisitor::TraverseTypeLoc(Type, TraverseQualifier);
  }
  bool TraverseTemplateArgumentLoc(const clang::TemplateArgumentLoc &Argument) override {
    llvm::SaveAndRestore OuterStart(AtStart, false);
    return clang::DynamicRecursiveASTVisitor::TraverseTemplateArgumentLoc(Argument);
  }

  bool VisitVarDecl(clang::VarDecl *V) override {
    if (isMarked<clang::CUDAConstantAttr>(V) && Context.isOwn(V->getLocation()) &&
        !V->getType()->isDependentType())
      Constants.insert(llvm::demangle(Mangler.getName(V)));
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *Reference) override {
    const auto *V = llvm::dyn_cast<clang::VarDecl>(Reference->getDecl());
    // A constant's value and a variable's type are known to the host too.
    if (OnDevice || !V || !isOfDevice(V) || Reference->isNonOdrUse() ||
        !Context.isOwn(Reference->getLocation()))
      return true;
    std::optional<TextRange> Text = rangeOfTokens(Context.Pass, Reference->getSourceRange());
    if (!Text)
      return true;
    Context.Edits.insert(Text->Begin,
                         AtStart ? " ::cupel::emu::namedAtStart((" : " ::cupel::emu::named((");
    Context.Edits.insert(Text->End, "))");
    return true;
  }

private:
  bool isOfDevice(const clang::VarDecl *V) const {
    return (isMarked<clang::CUDADeviceAttr>(V) || isMarked<clang::CUDAConstantAttr>(V)) &&
           !V->hasAttr<clang::CUDASharedAttr>() && !isManaged(V);
  }
  /// Clang ignores `__managed__` in CUDA, so the text in front of the name has to tell.
  bool isManaged(const clang::VarDecl *V) const {
    std::optional<TokenPlace> Name = placeOfToken(Context.Pass, V->getLocation());
    llvm::StringRef Before = Context.text(0, Name ? Name->Offset : 0);
    return Before.substr(Before.find_last_of(";{}") + 1).contains("__managed__");
  }

  const RewriteContext &Context;
  std::set<std::string> &Constants;
  clang::ASTNameGenerator Mangler;
  bool OnDevice = false;
  /// In the initializer of a variable that the compiler makes a constant where it can.
  bool AtStart = false;
};

} // namespace

void cupel::rewriteDeviceVariables(const RewriteContext &Context) {
  std::set<std::string> Constants;
  NameRewriter Rewriter(Context, Constants);
  for (clang::Decl *D : Context.Pass.topLevelDecls())
    Rewriter.TraverseDecl(D);
  if (Constants.empty())
    return;
  std::string List;
  for (const std::string &Name : Constants)
    List += (List.empty() ? "\"" : ", \"") + Name + "\"";
  Context.Edits.insert(Context.Submission.Source.size(),
                       "\nstatic const bool cupelConstants = ::cupel::emu::markConstants({" + List +
                           "});\n");
}
