//===- Instances.cpp - which template instances a parse makes ---------------===//

#include "Instances.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"

using namespace cupel;

/// Whether \p Type is a class of the submission with a template as call operator, such as a
/// generic lambda: its body has types only once somebody calls it.
static bool isGenericCode(clang::QualType Type, const ParsedPass &Pass) {
  Type = Type.getCanonicalType().getNonReferenceType();
  if (Type->isPointerType())
    Type = Type->getPointeeType();
  const clang::CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  if (!Record || !Pass.isInSubmission(Record->getLocation()))
    return false;
  return Record->isGenericLambda() || llvm::any_of(Record->decls(), [](const clang::Decl *D) {
           return llvm::isa<clang::FunctionTemplateDecl>(D);
         });
}

static bool isGiven(llvm::ArrayRef<clang::TemplateArgument> Arguments, const ParsedPass &Pass) {
  return llvm::any_of(Arguments, [&](const clang::TemplateArgument &Argument) {
    if (Argument.getKind() == clang::TemplateArgument::Pack)
      return isGiven(Argument.getPackAsArray(), Pass);
    return Argument.getKind() == clang::TemplateArgument::Type &&
           isGenericCode(Argument.getAsType(), Pass);
  });
}

/// A tensor, or what leads to one: pointers, iterators, containers.
static bool leadsToTensor(clang::QualType Type, unsigned Depth = 4) {
  Type = Type.getCanonicalType().getNonReferenceType();
  while (Type->isPointerType())
    Type = Type->getPointeeType();
  const clang::CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
  if (!Record || Depth == 0)
    return false;
  if (Record->getIdentifier() && Record->getName() == "Tensor")
    return true;
  const auto *Class = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(Record);
  return Class && llvm::any_of(Class->getTemplateArgs().asArray(), [&](const auto &Argument) {
           return Argument.getKind() == clang::TemplateArgument::Type &&
                  leadsToTensor(Argument.getAsType(), Depth - 1);
         });
}

/// A standard algorithm over tensors, such as `std::accumulate`: what it does with them is torch's
/// operators, which are named only in its body.
static bool isTensorAlgorithm(const clang::FunctionDecl *Function,
                              const clang::TemplateArgumentList &Arguments) {
  return Function->isInStdNamespace() && !Function->isCXXClassMember() &&
         llvm::any_of(Arguments.asArray(), [](const clang::TemplateArgument &Argument) {
           return Argument.getKind() == clang::TemplateArgument::Type &&
                  leadsToTensor(Argument.getAsType());
         });
}

static bool isWanted(const clang::ValueDecl *D, const ParsedPass &Pass) {
  const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D);
  if (!Function)
    return Pass.isInSubmission(D->getLocation());
  const clang::FunctionDecl *Pattern = Function->getTemplateInstantiationPattern();
  if (Pass.isInSubmission((Pattern ? Pattern : Function)->getLocation()))
    return true;
  if (const clang::TemplateArgumentList *Arguments = Function->getTemplateSpecializationArgs())
    if (isGiven(Arguments->asArray(), Pass) || isTensorAlgorithm(Function, *Arguments))
      return true;
  // A member function of an instance of a class template.
  if (const auto *Class =
          llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(Function->getDeclContext()))
    return isGiven(Class->getTemplateArgs().asArray(), Pass);
  return false;
}

void cupel::dropHeaderInstances(clang::Sema &Sema, const ParsedPass &Pass) {
  llvm::erase_if(Sema.PendingInstantiations,
                 [&](const auto &Pending) { return !isWanted(Pending.first, Pass); });
}
