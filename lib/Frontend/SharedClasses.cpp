//===- SharedClasses.cpp - classes of variables in shared memory ------------===//

#include "SharedClasses.h"
#include "DiagnosticCollector.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/ADT/StringExtras.h"

using namespace cupel;

static std::string keyOf(const clang::CXXRecordDecl *Class, const clang::SourceManager &Sources) {
  if (const clang::CXXRecordDecl *Written = Class->getTemplateInstantiationPattern())
    Class = Written;
  SourcePlace Place = physicalPlace(Class->getLocation(), Sources);
  return Place.File + ":" + std::to_string(Place.Line) + ":" + std::to_string(Place.Column);
}

namespace {

class RefusedFinder : public clang::DynamicRecursiveASTVisitor {
public:
  RefusedFinder(const clang::SourceManager &Sources, SharedClassMap &Classes)
      : Sources(Sources), Classes(Classes) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitVarDecl(clang::VarDecl *V) override {
    if (!V->hasAttr<clang::CUDASharedAttr>() || V->getType().isNull())
      return true;
    const clang::Type *Element = V->getType().getCanonicalType()->getBaseElementTypeUnsafe();
    // An instance of a function that Clang refused has no body, so its template must tell.
    if (const auto *Dependent = Element->getAs<clang::TemplateSpecializationType>()) {
      if (const clang::TemplateDecl *Template = Dependent->getTemplateName().getAsTemplateDecl())
        if (const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(Template->getTemplatedDecl()))
          Classes[keyOf(Class, Sources)] = Class->getQualifiedNameAsString();
    } else if (const clang::CXXRecordDecl *Class = Element->getAsCXXRecordDecl()) {
      if (Class->hasDefinition() &&
          (!Class->hasTrivialDefaultConstructor() || !Class->hasTrivialDestructor()))
        Classes[keyOf(Class, Sources)] = Class->getQualifiedNameAsString();
    }
    return true;
  }

private:
  const clang::SourceManager &Sources;
  SharedClassMap &Classes;
};

} // namespace

SharedClassMap cupel::refusedSharedClasses(const ParsedPass &Pass) {
  SharedClassMap Classes;
  RefusedFinder Finder(Pass.sourceManager(), Classes);
  for (clang::Decl *D : Pass.topLevelDecls())
    Finder.TraverseDecl(D);
  return Classes;
}

void TrivialForAWhile::completed(clang::Sema &Sema, clang::TagDecl *Tag) {
  if (auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(Tag))
    change(Sema, Class);
}

/// What \p Name means, from the outermost namespace on.
static clang::NamedDecl *findNamed(clang::ASTContext &Context, llvm::StringRef Name) {
  clang::NamedDecl *Found = nullptr;
  clang::DeclContext *In = Context.getTranslationUnitDecl();
  for (llvm::StringRef Part : llvm::split(Name, "::")) {
    if (!In)
      return nullptr;
    auto Names = In->lookup(&Context.Idents.get(Part));
    Found = Names.empty() ? nullptr : Names.front();
    In = llvm::dyn_cast_or_null<clang::DeclContext>(Found);
  }
  return Found;
}

void TrivialForAWhile::start(clang::Sema &Sema, clang::ASTReader &Reader) {
  for (const auto &Entry : Classes) {
    clang::NamedDecl *Found = findNamed(Sema.getASTContext(), Entry.second);
    if (auto *Class = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(Found))
      change(Sema, Class);
    auto *Template = llvm::dyn_cast_or_null<clang::ClassTemplateDecl>(Found);
    if (!Template)
      continue;
    // Past the LazyReader, which spares all other templates this.
    Reader.ASTReader::LoadExternalSpecializations(Template->getCanonicalDecl(), false);
    for (clang::ClassTemplateSpecializationDecl *Instance : Template->specializations())
      change(Sema, Instance);
  }
}

void TrivialForAWhile::change(clang::Sema &Sema, clang::CXXRecordDecl *Class) {
  Class = Class->getDefinition();
  if (!Class || Classes.empty() || Class->isDependentContext() ||
      !Classes.count(keyOf(Class, Sema.getSourceManager())))
    return;
  Sema.ForceDeclarationOfImplicitMembers(Class);
  auto makeTrivial = [&](clang::FunctionDecl *Member) {
    if (!Member || Member->isTrivial() || Member->isDeleted())
      return;
    Member->setTrivial(true);
    Changed.push_back(Member);
  };
  for (clang::CXXConstructorDecl *Constructor : Class->ctors())
    if (Constructor->isDefaultConstructor()) {
      // Sema makes no body for a trivial one, but the host's code may call it.
      if (Constructor->isDefaulted() && !Constructor->isTrivial() && !Constructor->isDeleted() &&
          !Constructor->doesThisDeclarationHaveABody())
        Sema.DefineImplicitDefaultConstructor(Class->getLocation(), Constructor);
      makeTrivial(Constructor);
    }
  makeTrivial(Class->getDestructor());
}

TrivialForAWhile::~TrivialForAWhile() {
  for (clang::FunctionDecl *Member : Changed)
    Member->setTrivial(false);
}
