//===- AsmFinder.cpp - inline assembly of a submission ----------------------===//

#include "AsmFinder.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace cupel {

namespace {

class Finder : public DynamicRecursiveASTVisitor {
public:
  bool TraverseFunctionDecl(FunctionDecl *F) override { return within(F, &Finder::baseFunction); }
  bool TraverseCXXMethodDecl(CXXMethodDecl *F) override { return within(F, &Finder::baseMethod); }

  bool VisitGCCAsmStmt(GCCAsmStmt *Asm) override {
    // A function for host and device is host code too, but what stands under __CUDA_ARCH__ is not
    // in this pass at all.
    Found.push_back({Asm->getAsmLoc(), Asm->getAsmString(), !Function || !isDeviceOnly(Function)});
    return true;
  }

  bool VisitFileScopeAsmDecl(FileScopeAsmDecl *Asm) override {
    Found.push_back({Asm->getAsmLoc(), Asm->getAsmString(), true});
    return true;
  }

  std::vector<AsmUse> Found;

private:
  using Base = DynamicRecursiveASTVisitor;
  bool baseFunction(FunctionDecl *F) { return Base::TraverseFunctionDecl(F); }
  bool baseMethod(FunctionDecl *F) { return Base::TraverseCXXMethodDecl(cast<CXXMethodDecl>(F)); }
  bool within(FunctionDecl *F, bool (Finder::*Traverse)(FunctionDecl *)) {
    const FunctionDecl *Outer = Function;
    Function = F;
    bool Continues = (this->*Traverse)(F);
    Function = Outer;
    return Continues;
  }

  const FunctionDecl *Function = nullptr;
};

} // namespace

std::vector<AsmUse> findAsm(CheckContext &Context) {
  Finder Search;
  for (Decl *D : Context.program().declarations())
    Search.TraverseDecl(D);
  return std::move(Search.Found);
}

} // namespace cupel
