//===- ProgramBuilder.cpp - finds all code of a submission ------------------===//

#include "ProgramBuilder.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclFriend.h"

using namespace clang;

namespace cupel {

/// Instances of headers' templates that are looked into. Far above what honest code makes (a few
/// dozen), and a bound on the time that nested templates can cost.
static constexpr size_t ForeignLimit = 4000;

void ProgramBuilder::build() {
  // Declarations of a precompiled header are not loaded by asking for the rest.
  for (Decl *D : P.Pass.context().getTranslationUnitDecl()->noload_decls())
    if (Names.isSubmissionDecl(D)) {
      P.TopLevel.push_back(D);
      declare(D, false);
    }
  // Collecting the uses of one unit makes others known; the list grows while it is walked.
  for (size_t I = 0; I < P.Units.size(); ++I) {
    CodeUnit &Unit = *P.Units[I];
    bool IsEntry = Unit.function() && P.isEntry(Unit.function());
    collectUses(Unit, P.Pass, Names, IsEntry, *this);
    lookAtCallees(Unit);
  }
}

void ProgramBuilder::foundLambda(const CXXMethodDecl *CallOperator, bool IsPattern) {
  addFunction(CallOperator, IsPattern);
}

void ProgramBuilder::foundLocalDecl(Decl *D, bool IsPattern) { declare(D, IsPattern); }

void ProgramBuilder::declareContext(const DeclContext *C, bool IsPattern) {
  for (Decl *D : C->noload_decls())
    declare(D, IsPattern);
}

void ProgramBuilder::declare(Decl *D, bool IsPattern) {
  if (auto *F = dyn_cast<FunctionDecl>(D)) {
    if (F->doesThisDeclarationHaveABody())
      addFunction(F, IsPattern);
  } else if (auto *T = dyn_cast<FunctionTemplateDecl>(D)) {
    declareTemplate(T, IsPattern);
  } else if (auto *T = dyn_cast<ClassTemplateDecl>(D)) {
    declareTemplate(T, IsPattern);
  } else if (auto *R = dyn_cast<CXXRecordDecl>(D)) {
    bool IsPartial = isa<ClassTemplatePartialSpecializationDecl>(R);
    if (R->isThisDeclarationADefinition() && !R->isLambda() && !IsPartial)
      declareContext(R, IsPattern);
  } else if (auto *V = dyn_cast<VarDecl>(D)) {
    addVariable(V, IsPattern);
  } else if (auto *T = dyn_cast<VarTemplateDecl>(D)) {
    for (VarTemplateSpecializationDecl *V : T->specializations())
      addVariable(V, false);
  } else if (auto *Friend = dyn_cast<FriendDecl>(D)) {
    if (NamedDecl *N = Friend->getFriendDecl())
      declare(N, IsPattern);
  } else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D)) {
    declareContext(cast<DeclContext>(D), IsPattern);
  }
}

void ProgramBuilder::declareTemplate(const FunctionTemplateDecl *T, bool IsPattern) {
  bool HasInstance = false;
  for (FunctionDecl *Instance : T->specializations())
    if (Instance->hasBody()) {
      HasInstance = true;
      addFunction(Instance, IsPattern);
    }
  if (const FunctionDecl *Pattern = T->getTemplatedDecl(); !HasInstance && Pattern->hasBody())
    addFunction(Pattern, true);
}

void ProgramBuilder::declareTemplate(const ClassTemplateDecl *T, bool IsPattern) {
  if (!T->isThisDeclarationADefinition())
    return;
  for (ClassTemplateSpecializationDecl *S : T->specializations())
    if (S->getSpecializationKind() != TSK_ExplicitSpecialization)
      declareContext(S, IsPattern);
  declareUnusedMethods(T->getTemplatedDecl(), T);
}

void ProgramBuilder::declareUnusedMethods(const CXXRecordDecl *Pattern,
                                          const ClassTemplateDecl *T) {
  llvm::DenseSet<const FunctionDecl *> Instantiated;
  for (ClassTemplateSpecializationDecl *S : T->specializations())
    for (const CXXMethodDecl *M : S->methods())
      if (M->hasBody())
        if (const FunctionDecl *From = M->getTemplateInstantiationPattern())
          Instantiated.insert(From->getCanonicalDecl());
  for (Decl *D : Pattern->noload_decls()) {
    auto *M = dyn_cast<CXXMethodDecl>(D);
    if (!M || !Instantiated.contains(M->getCanonicalDecl()))
      declare(D, true);
  }
}

CodeUnit *ProgramBuilder::add(const Decl *Key, const Decl *Body) {
  auto [Slot, IsNew] = P.UnitOf.try_emplace(Key->getCanonicalDecl(), nullptr);
  if (!IsNew)
    return nullptr;
  P.Units.push_back(std::make_unique<CodeUnit>());
  Slot->second = P.Units.back().get();
  Slot->second->Decl = Body;
  return Slot->second;
}

CodeUnit *ProgramBuilder::addFunction(const FunctionDecl *F, bool IsPattern, bool IsForeign) {
  const FunctionDecl *Definition = nullptr;
  if (!F->hasBody(Definition))
    return nullptr;
  CodeUnit *Unit = add(F, Definition);
  if (!Unit)
    return nullptr;
  Unit->IsPattern = IsPattern || F->isDependentContext();
  Unit->IsForeign = IsForeign;
  Unit->RunsAtLoad = F->hasAttr<ConstructorAttr>() || F->hasAttr<DestructorAttr>();
  return Unit;
}

void ProgramBuilder::addVariable(const VarDecl *V, bool IsPattern) {
  const VarDecl *Definition = nullptr;
  if (!V->getAnyInitializer(Definition))
    return;
  if (CodeUnit *Unit = add(V, Definition)) {
    Unit->IsPattern = IsPattern || V->getType()->isDependentType();
    Unit->RunsAtLoad = true;
  }
}

void ProgramBuilder::lookAtCallees(const CodeUnit &Unit) {
  for (const auto &Use : Unit.Uses) {
    const FunctionDecl *F = Use->Callee;
    if (P.UnitOf.contains(F->getCanonicalDecl()) || Use->How == FunctionUse::Kind::Unresolved)
      continue;
    if (Names.isSubmissionDecl(F)) {
      // After errors an instance may lack its body; the pattern then stands for it.
      const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
      if (!addFunction(F, Unit.IsPattern) && Pattern)
        addFunction(Pattern, true);
    } else if (ForeignCount < ForeignLimit && isForeignOfInterest(F)) {
      ForeignCount += addFunction(F, false, true) != nullptr;
    }
  }
}

/// Whether \p A holds a tensor, a type of the submission or a function that takes them.
static bool isOfInterest(const Symbols &Names, const TemplateArgument &A, unsigned Depth);

static bool isOfInterest(const Symbols &Names, QualType T, unsigned Depth) {
  if (T.isNull() || Depth == 0)
    return false;
  T = T.getNonReferenceType();
  while (T->isAnyPointerType() || T->isMemberPointerType())
    T = T->getPointeeType();
  if (const auto *F = T->getAs<FunctionProtoType>())
    return isOfInterest(Names, F->getReturnType(), Depth - 1) ||
           llvm::any_of(F->param_types(),
                        [&](QualType P) { return isOfInterest(Names, P, Depth - 1); });
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  if (!R)
    return false;
  if (Names.isSubmissionDecl(R) || Names.isTensorType(T))
    return true;
  const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(R);
  return S && llvm::any_of(S->getTemplateArgs().asArray(), [&](const TemplateArgument &A) {
           return isOfInterest(Names, A, Depth - 1);
         });
}

static bool isOfInterest(const Symbols &Names, const TemplateArgument &A, unsigned Depth) {
  switch (A.getKind()) {
  case TemplateArgument::Type:
    return isOfInterest(Names, A.getAsType(), Depth);
  case TemplateArgument::Declaration:
    return isa<FunctionDecl>(A.getAsDecl());
  case TemplateArgument::Pack:
    return llvm::any_of(A.getPackAsArray(),
                        [&](const TemplateArgument &P) { return isOfInterest(Names, P, Depth); });
  default:
    return false;
  }
}

bool ProgramBuilder::isForeignOfInterest(const FunctionDecl *F) const {
  constexpr unsigned Depth = 4;
  if (Names.isTorchDecl(F) || Names.isVendorDecl(F) || Names.isPythonDecl(F) ||
      F->isDependentContext())
    return false;
  if (const TemplateArgumentList *Args = F->getTemplateSpecializationArgs())
    for (const TemplateArgument &A : Args->asArray())
      if (isOfInterest(Names, A, Depth))
        return true;
  for (const DeclContext *C = F->getDeclContext(); C; C = C->getParent())
    if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(C))
      for (const TemplateArgument &A : S->getTemplateArgs().asArray())
        if (isOfInterest(Names, A, Depth))
          return true;
  return false;
}

} // namespace cupel
