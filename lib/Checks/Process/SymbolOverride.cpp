//===- SymbolOverride.cpp - process-symbol-override ------------------------===//

#include "SymbolOverride.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

namespace cupel {

SymbolOverrideCheck::SymbolOverrideCheck()
    : Check("process-symbol-override", Level::Reject,
            "Function of the CUDA runtime, libc or torch that this file defines anew") {}

/// A function that a header declares and another library provides. Inline and member functions,
/// templates and their specialisations get symbols of their own.
static bool replacesOther(const clang::FunctionDecl &F, CheckContext &Context) {
  if (F.getLinkageInternal() != clang::Linkage::External || F.isInlined() ||
      llvm::isa<clang::CXXMethodDecl>(F) || F.isFunctionTemplateSpecialization() ||
      F.getDescribedFunctionTemplate())
    return false;
  if (F.isReplaceableGlobalAllocationFunction())
    return true;
  for (const clang::FunctionDecl *D : F.redecls())
    if (!Context.pass().isInSubmission(D->getLocation()))
      return true;
  return F.getBuiltinID() != 0 && F.isExternC();
}

void SymbolOverrideCheck::run(CheckContext &Context) const {
  for (const auto &Unit : Context.program().units()) {
    const clang::FunctionDecl *F = Unit->function();
    if (!F || Unit->IsForeign || !Context.pass().isInSubmission(F->getLocation()) ||
        isDeviceOnly(F) || !replacesOther(*F, Context))
      continue;
    Context.report(*this, Level::Reject, F->getLocation(),
                   "this definition takes the place of '" + Context.symbols().qualifiedName(F) +
                       "', which others in the process call");
  }
  for (const clang::Decl *D : Context.program().declarations())
    for (const clang::Attr *A : D->attrs())
      if (llvm::isa<clang::AliasAttr, clang::WeakRefAttr>(A))
        Context.report(*this, Level::Reject, A->getLocation(),
                       "attribute '" + llvm::StringRef(A->getSpelling()) +
                           "' gives a symbol another body");
}

} // namespace cupel
