//===- SourceSymbols.cpp - where a submission uses what linkers name --------===//

#include "cupel/Frontend/SourceSymbols.h"
#include "cupel/Frontend/Guarded.h"
#include "cupel/Frontend/ParsedSubmission.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include <map>

using namespace cupel;

namespace {

class SymbolVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  using Symbols = std::map<std::string, SourceSymbol>;

  SymbolVisitor(const ParsedPass &Pass, Symbols &Found)
      : Pass(Pass), Names(Pass.context()), Found(Found) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl *D) override {
    return note(D, D->getLocation(), false);
  }
  bool VisitVarDecl(clang::VarDecl *D) override { return note(D, D->getLocation(), false); }
  bool VisitDeclRefExpr(clang::DeclRefExpr *E) override {
    return note(E->getDecl(), E->getLocation(), true);
  }
  bool VisitMemberExpr(clang::MemberExpr *E) override {
    return note(E->getMemberDecl(), E->getMemberLoc(), true);
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *E) override {
    return note(E->getConstructor(), E->getLocation(), true);
  }

private:
  static bool isDefined(const clang::NamedDecl *D) {
    if (const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D))
      return Function->isDefined() || Function->isDefaulted();
    return llvm::cast<clang::VarDecl>(D)->hasDefinition() != clang::VarDecl::DeclarationOnly;
  }

  /// Whether the linker can have a name for it.
  static bool isSymbol(const clang::NamedDecl *D) {
    if (D->isTemplated() || D->getDeclContext()->isDependentContext() || D->isInvalidDecl())
      return false;
    if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(D))
      return Variable->hasGlobalStorage() && !Variable->isLocalVarDecl() &&
             !llvm::isa<clang::DecompositionDecl>(D);
    const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D);
    return Function && !Function->getBuiltinID() && !Function->isDeleted() &&
           !Function->getType()->isDependentType();
  }

  bool note(const clang::NamedDecl *D, clang::SourceLocation Location, bool IsUse) {
    if (!isSymbol(D) || !Pass.isInSubmission(Location))
      return true;
    const bool Own = llvm::all_of(D->redecls(), [&](const clang::Decl *Other) {
      return Other->isImplicit() || Pass.isInSubmission(Other->getLocation());
    });
    const bool Defined = isDefined(D);
    const bool IsDefinition = !IsUse && Defined && isDefinition(D);
    for (const std::string &Name : manglings(D)) {
      SourceSymbol &Symbol = Found[Name];
      // A definition is the best place, then the first use, then a declaration.
      const unsigned Rank = IsDefinition ? 3 : IsUse ? 2 : 1;
      unsigned &Best = Ranks[Name];
      if (Rank > Best) {
        Best = Rank;
        Symbol.Place = Pass.placeOf(Location);
      }
      Symbol.Mangled = Name;
      Symbol.IsDefined |= Defined;
      Symbol.IsOwn = Own;
    }
    return true;
  }

  /// A constructor has a name for whole objects and one for bases.
  std::vector<std::string> manglings(const clang::NamedDecl *D) {
    if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(D))
      return Names.getAllManglings(D);
    return {Names.getName(D)};
  }

  static bool isDefinition(const clang::NamedDecl *D) {
    if (const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D))
      return Function->isThisDeclarationADefinition();
    return llvm::cast<clang::VarDecl>(D)->isThisDeclarationADefinition() !=
           clang::VarDecl::DeclarationOnly;
  }

  const ParsedPass &Pass;
  clang::ASTNameGenerator Names;
  Symbols &Found;
  std::map<std::string, unsigned> Ranks;
};

} // namespace

std::vector<SourceSymbol> cupel::sourceSymbols(const ParsedSubmission &Submission) {
  SymbolVisitor::Symbols Host, Device;
  // Places only: whoever crashes on the tree has none.
  (void)runGuarded([&] {
    for (const ParsedPass *Pass : {Submission.Host.get(), Submission.Device.get()}) {
      if (!Pass)
        continue;
      SymbolVisitor Visitor(*Pass, Pass->kind() == PassKind::Host ? Host : Device);
      for (clang::Decl *D : Pass->topLevelDecls())
        Visitor.TraverseDecl(D);
    }
  });
  for (auto &[Name, Symbol] : Device) {
    auto [It, IsNew] = Host.insert({Name, Symbol});
    It->second.IsDefined |= Symbol.IsDefined;
    It->second.IsOwn &= Symbol.IsOwn;
  }
  std::vector<SourceSymbol> Result;
  for (auto &[Name, Symbol] : Host)
    Result.push_back(std::move(Symbol));
  return Result;
}
