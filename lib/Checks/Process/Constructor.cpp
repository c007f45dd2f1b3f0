//===- Constructor.cpp - process-constructor -------------------------------===//

#include "Constructor.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Attr.h"

namespace cupel {

ConstructorCheck::ConstructorCheck()
    : Check("process-constructor", Level::Reject,
            "Function that runs by itself: constructor, destructor, ifunc attribute") {}

void ConstructorCheck::run(CheckContext &Context) const {
  for (const auto &Unit : Context.program().units()) {
    const clang::FunctionDecl *F = Unit->function();
    if (!F || Unit->IsForeign)
      continue;
    for (const clang::FunctionDecl *D : F->redecls())
      for (const clang::Attr *A : D->attrs())
        if (llvm::isa<clang::ConstructorAttr, clang::DestructorAttr, clang::IFuncAttr,
                      clang::SectionAttr>(A) &&
            Context.pass().isInSubmission(A->getLocation())) {
          Context.report(*this, Level::Reject, A->getLocation(),
                         "attribute '" + llvm::StringRef(A->getSpelling()) +
                             "' makes a function run, or lie, where nobody calls it");
          break;
        }
  }
}

} // namespace cupel
