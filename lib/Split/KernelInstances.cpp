//===- KernelInstances.cpp - the kernels that host code uses -----------------===//

#include "KernelInstances.h"
#include "cupel/Support/Text.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cupel;

namespace {

class TemplateVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  std::vector<const clang::FunctionDecl *> Instances;

  bool VisitFunctionTemplateDecl(clang::FunctionTemplateDecl *Template) override {
    if (!Template->isCanonicalDecl() ||
        !Template->getTemplatedDecl()->hasAttr<clang::CUDAGlobalAttr>())
      return true;
    for (const clang::FunctionDecl *Instance : Template->specializations())
      if (Instance->getTemplateSpecializationKind() != clang::TSK_ExplicitSpecialization &&
          Instance->getTemplateSpecializationKind() != clang::TSK_Undeclared)
        Instances.push_back(Instance);
    return true;
  }
};

/// Whether C++ code can spell \p Type: nothing in it is local or unnamed.
bool hasName(clang::QualType Type);

bool haveNames(llvm::ArrayRef<clang::TemplateArgument> Arguments) {
  return llvm::all_of(Arguments, [](const clang::TemplateArgument &Argument) {
    if (Argument.getKind() == clang::TemplateArgument::Pack)
      return haveNames(Argument.getPackAsArray());
    if (Argument.getKind() == clang::TemplateArgument::Declaration)
      return Argument.getAsDecl()->getDeclContext()->isFileContext();
    return Argument.getKind() != clang::TemplateArgument::Type || hasName(Argument.getAsType());
  });
}

bool hasName(clang::QualType Type) {
  Type = Type.getCanonicalType();
  if (const auto *Array = llvm::dyn_cast<clang::ArrayType>(Type))
    return hasName(Array->getElementType());
  if (Type->isAnyPointerType() || Type->isReferenceType())
    return hasName(Type->getPointeeType());
  if (const auto *Function = Type->getAs<clang::FunctionProtoType>())
    return hasName(Function->getReturnType()) && llvm::all_of(Function->param_types(), hasName);
  const clang::TagDecl *Tag = Type->getAsTagDecl();
  if (!Tag)
    return true;
  if (Tag->getParentFunctionOrMethod() || !Tag->getIdentifier())
    return false;
  for (const clang::DeclContext *Outer = Tag->getDeclContext(); Outer; Outer = Outer->getParent())
    if (const auto *Record = llvm::dyn_cast<clang::TagDecl>(Outer);
        Record && !Record->getIdentifier())
      return false;
  const auto *Class = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(Tag);
  return !Class || haveNames(Class->getTemplateArgs().asArray());
}

/// Members of an unnamed namespace are found in the namespace around it.
std::string withoutUnnamed(std::string Text) {
  for (llvm::StringRef Unnamed : {"(anonymous namespace)::", "(anonymous)::"})
    for (size_t At = Text.find(Unnamed); At != std::string::npos; At = Text.find(Unnamed))
      Text.erase(At, Unnamed.size());
  return Text;
}

clang::PrintingPolicy printingPolicy(const clang::ASTContext &Context) {
  clang::PrintingPolicy Policy(Context.getLangOpts());
  Policy.PrintAsCanonical = true;
  Policy.FullyQualifiedName = true;
  Policy.SuppressTagKeyword = true;
  return Policy;
}

std::string spelled(const clang::FunctionDecl *Kernel, const clang::PrintingPolicy &Policy) {
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  OS << "::";
  Kernel->printQualifiedName(OS, Policy);
  clang::printTemplateArgumentList(OS, Kernel->getTemplateSpecializationArgs()->asArray(), Policy,
                                   Kernel->getPrimaryTemplate()->getTemplateParameters());
  return withoutUnnamed(Name);
}

} // namespace

std::vector<const clang::FunctionDecl *>
cupel::kernelInstances(const ParsedSubmission &Submission) {
  TemplateVisitor Visitor;
  for (clang::Decl *D : Submission.Host->topLevelDecls())
    Visitor.TraverseDecl(D);
  return Visitor.Instances;
}

llvm::Expected<std::string> cupel::instanceTail(llvm::ArrayRef<const clang::FunctionDecl *> Kernels,
                                                const ParsedPass &Pass) {
  if (Kernels.empty())
    return "";
  clang::PrintingPolicy Policy = printingPolicy(Pass.context());
  std::string Body;
  for (const clang::FunctionDecl *Kernel : Kernels) {
    if (!haveNames(Kernel->getTemplateSpecializationArgs()->asArray()))
      return notSplit("the kernel '" + Kernel->getNameAsString() +
                          "' is instantiated for a type without a name",
                      Pass.placeOf(Kernel->getPointOfInstantiation()));
    // The exact type picks one of several templates of that name.
    std::string Type =
        withoutUnnamed(Pass.context().getPointerType(Kernel->getType()).getAsString(Policy));
    Body += llvm::formatv("  *kernels++ = reinterpret_cast<void *>(static_cast<{0}>(&{1}));\n",
                          Type, spelled(Kernel, Policy));
  }
  std::string Function =
      "void cupel_kernels(void **kernels);\nvoid cupel_kernels(void **kernels) {\n" + Body + "}\n";
  return "\n\n" + undefineWords(Function) + Function;
}
