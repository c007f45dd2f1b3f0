//===- AsmLabel.cpp - evasion-asm-label ------------------------------------===//

#include "AsmLabel.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace cupel {

AsmLabelCheck::AsmLabelCheck()
    : Check("evasion-asm-label", Level::Reject,
            "Declaration that links to another symbol by an assembler label") {}

namespace {

class LabelFinder : public clang::DynamicRecursiveASTVisitor {
public:
  bool VisitNamedDecl(clang::NamedDecl *D) override {
    if (const auto *Label = D->getAttr<clang::AsmLabelAttr>(); Label && !Label->isImplicit())
      Found.push_back({D, Label});
    return true;
  }

  std::vector<std::pair<const clang::NamedDecl *, const clang::AsmLabelAttr *>> Found;
};

} // namespace

void AsmLabelCheck::run(CheckContext &Context) const {
  LabelFinder Finder;
  for (clang::Decl *D : Context.program().declarations())
    Finder.TraverseDecl(D);
  for (const auto &[Declaration, Label] : Finder.Found)
    Context.report(*this, Level::Reject, Declaration->getLocation(),
                   "'" + Declaration->getName() + "' is the symbol '" + Label->getLabel() +
                       "' under another name");
}

} // namespace cupel
