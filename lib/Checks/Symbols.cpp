//===- Symbols.cpp - whose a declaration is ---------------------------------===//

#include "cupel/Checks/Symbols.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

bool isDeviceOnly(const FunctionDecl *F) {
  return F && (F->hasAttr<CUDAGlobalAttr>() ||
               (F->hasAttr<CUDADeviceAttr>() && !F->hasAttr<CUDAHostAttr>()));
}

/// The name of the outermost namespace around \p D, empty at global scope.
static StringRef outermostNamespace(const Decl *D) {
  StringRef Outermost;
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent())
    if (const auto *N = dyn_cast<NamespaceDecl>(C); N && !N->isAnonymousNamespace())
      Outermost = N->getName();
  return Outermost;
}

StringRef Symbols::qualifiedName(const NamedDecl *D) const {
  auto [Entry, IsNew] = Names.try_emplace(D);
  if (!IsNew)
    return Entry->second;
  std::string Name = D->getNameAsString();
  for (const DeclContext *C = D->getDeclContext(); C; C = C->getParent()) {
    if (const auto *N = dyn_cast<NamespaceDecl>(C)) {
      if (N->isInline() || N->isAnonymousNamespace())
        continue;
    } else if (!isa<TagDecl>(C) && !isa<FunctionDecl>(C)) {
      continue;
    }
    Name = cast<NamedDecl>(C)->getNameAsString() + "::" + Name;
  }
  Entry->second = std::move(Name);
  return Entry->second;
}

StringRef Symbols::headerOf(const Decl *D) const {
  const SourceManager &SM = Pass.sourceManager();
  FileID File = SM.getFileID(SM.getExpansionLoc(D->getCanonicalDecl()->getLocation()));
  auto Entry = SM.getFileEntryRefForID(File);
  return Entry ? Entry->getName() : StringRef();
}

bool Symbols::isSubmissionDecl(const Decl *D) const {
  return D && D->getLocation().isValid() && Pass.isInSubmission(D->getLocation());
}

bool Symbols::isDefinedHere(const NamedDecl *D) const {
  if (const auto *F = dyn_cast<FunctionDecl>(D)) {
    // Members that the compiler makes are their class's.
    if (const auto *M = dyn_cast<CXXMethodDecl>(F); M && (M->isImplicit() || M->isDefaulted()))
      return isDefinedHere(M->getParent());
    if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
      F = Pattern;
    const FunctionDecl *Definition = F->getDefinition();
    return Definition && isSubmissionDecl(Definition);
  }
  if (const auto *R = dyn_cast<CXXRecordDecl>(D)) {
    if (const CXXRecordDecl *Pattern = R->getTemplateInstantiationPattern())
      R = Pattern;
    const CXXRecordDecl *Definition = R->getDefinition();
    return Definition && isSubmissionDecl(Definition);
  }
  return isSubmissionDecl(D);
}

std::string Symbols::explicitLinkName(const FunctionDecl *F) const {
  if (const auto *Label = F->getMostRecentDecl()->getAttr<AsmLabelAttr>())
    return Label->getLabel().ltrim('\1').str();
  return F->isExternC() && F->getIdentifier() ? F->getName().str() : std::string();
}

/// Mangled names of functions and methods in torch's namespaces.
static bool linksToTorch(StringRef Symbol) {
  if (!Symbol.consume_front("_ZN"))
    return false;
  Symbol.consume_front("K");
  for (StringRef Space : {"2at", "5torch", "3c10", "6caffe2"})
    if (Symbol.starts_with(Space))
      return true;
  return false;
}

bool Symbols::isTorchDecl(const NamedDecl *D) const {
  static const llvm::StringSet<> Spaces = {"at", "torch", "c10", "caffe2"};
  const auto *F = dyn_cast<FunctionDecl>(D);
  if (!Spaces.contains(outermostNamespace(D)))
    return F && !isDefinedHere(F) && linksToTorch(explicitLinkName(F));
  return !isDefinedHere(D);
}

bool Symbols::isTensorType(QualType T) const {
  T = T.getNonReferenceType();
  while (T->isPointerType())
    T = T->getPointeeType();
  const CXXRecordDecl *R = T->getAsCXXRecordDecl();
  if (!R || !R->getIdentifier())
    return false;
  StringRef Name = R->getName();
  if (Name == "Tensor" || Name == "TensorBase") {
    StringRef Qualified = qualifiedName(R);
    if ((Qualified == "at::Tensor" || Qualified == "at::TensorBase") && isTorchDecl(R))
      return true;
  }
  if (!R->hasDefinition() || R->isDependentContext() || R->getNumBases() == 0)
    return false;
  return llvm::any_of(R->bases(),
                      [&](const CXXBaseSpecifier &B) { return isTensorType(B.getType()); });
}

/// \p Depth bounds the walk through nested template arguments.
static bool mentions(const Symbols &Names, QualType T, unsigned Depth) {
  if (Names.isTensorType(T))
    return true;
  if (Depth == 0)
    return false;
  T = T.getNonReferenceType();
  while (T->isPointerType())
    T = T->getPointeeType();
  if (const auto *Array = T->getAsArrayTypeUnsafe())
    return mentions(Names, Array->getElementType(), Depth - 1);
  const auto *R = dyn_cast_or_null<ClassTemplateSpecializationDecl>(T->getAsCXXRecordDecl());
  if (!R)
    return false;
  for (const TemplateArgument &A : R->getTemplateArgs().asArray()) {
    if (A.getKind() == TemplateArgument::Type && mentions(Names, A.getAsType(), Depth - 1))
      return true;
    if (A.getKind() == TemplateArgument::Pack)
      for (const TemplateArgument &P : A.getPackAsArray())
        if (P.getKind() == TemplateArgument::Type && mentions(Names, P.getAsType(), Depth - 1))
          return true;
  }
  return false;
}

bool Symbols::mentionsTensor(QualType T) const { return mentions(*this, T, 4); }

bool Symbols::signatureMentionsTensor(const FunctionDecl *F) const {
  if (const auto *M = dyn_cast<CXXMethodDecl>(F); M && !M->isStatic())
    if (isTensorType(M->getASTContext().getCanonicalTagType(M->getParent())))
      return true;
  return mentionsTensor(F->getReturnType()) ||
         llvm::any_of(F->parameters(),
                      [&](const ParmVarDecl *P) { return mentionsTensor(P->getType()); });
}

bool Symbols::isStandardDecl(const NamedDecl *D) const {
  StringRef Space = outermostNamespace(D);
  return Space == "std" || Space == "__gnu_cxx";
}

bool Symbols::isPythonDecl(const NamedDecl *D) const {
  if (isDefinedHere(D))
    return false;
  if (outermostNamespace(D) == "pybind11")
    return true;
  const auto *F = dyn_cast<FunctionDecl>(D);
  StringRef Name = F && F->isExternC() && F->getIdentifier() ? F->getName() : StringRef();
  return Name.starts_with("Py") || Name.starts_with("_Py");
}

} // namespace cupel
