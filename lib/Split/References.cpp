//===- References.cpp - what a declaration names -------------------------------===//

#include "References.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseSet.h"

using namespace cupel;

namespace {

class ReferenceVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  explicit ReferenceVisitor(llvm::function_ref<void(const clang::NamedDecl *)> Found)
      : Found(Found) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *E) override {
    note(E->getDecl());
    note(E->getFoundDecl());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *E) override {
    note(E->getMemberDecl());
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr *E) override {
    for (const clang::NamedDecl *D : E->decls())
      note(D);
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *E) override {
    note(E->getConstructor());
    return true;
  }
  bool VisitExpr(clang::Expr *E) override {
    noteType(E->getType());
    return true;
  }
  bool VisitValueDecl(clang::ValueDecl *D) override {
    noteType(D->getType());
    return true;
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc T) override {
    note(T.getDecl());
    return true;
  }
  bool VisitUsingTypeLoc(clang::UsingTypeLoc T) override {
    note(T.getDecl());
    return true;
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc T) override {
    note(T.getDecl());
    return true;
  }
  bool VisitTypedefNameDecl(clang::TypedefNameDecl *D) override {
    noteType(D->getUnderlyingType());
    return true;
  }
  bool TraverseTemplateName(clang::TemplateName Name) override {
    if (const clang::TemplateDecl *Template = Name.getAsTemplateDecl())
      note(Template);
    if (const clang::UsingShadowDecl *Shadow = Name.getAsUsingShadowDecl())
      note(Shadow);
    return clang::DynamicRecursiveASTVisitor::TraverseTemplateName(Name);
  }
  bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc T) override {
    clang::TemplateName Name = T.getTypePtr()->getTemplateName();
    if (const clang::TemplateDecl *Template = Name.getAsTemplateDecl())
      note(Template);
    if (const clang::UsingShadowDecl *Shadow = Name.getAsUsingShadowDecl())
      note(Shadow);
    return true;
  }

  void noteType(clang::QualType Type) {
    if (Type.isNull())
      return;
    Type = Type.getCanonicalType().getUnqualifiedType();
    if (!SeenTypes.insert(Type.getTypePtr()).second)
      return;
    if (const auto *Array = llvm::dyn_cast<clang::ArrayType>(Type))
      return noteType(Array->getElementType());
    if (Type->isAnyPointerType() || Type->isReferenceType() || Type->isMemberPointerType())
      return noteType(Type->getPointeeType());
    if (const auto *Function = Type->getAs<clang::FunctionProtoType>()) {
      noteType(Function->getReturnType());
      for (clang::QualType Parameter : Function->param_types())
        noteType(Parameter);
      return;
    }
    const clang::TagDecl *Tag = Type->getAsTagDecl();
    if (!Tag)
      return;
    note(Tag);
    if (const auto *Class = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(Tag))
      noteArguments(Class->getTemplateArgs().asArray());
  }

private:
  void noteArguments(llvm::ArrayRef<clang::TemplateArgument> Arguments) {
    for (const clang::TemplateArgument &Argument : Arguments)
      switch (Argument.getKind()) {
      case clang::TemplateArgument::Type:
        noteType(Argument.getAsType());
        break;
      case clang::TemplateArgument::Declaration:
        note(Argument.getAsDecl());
        break;
      case clang::TemplateArgument::Integral:
        noteType(Argument.getIntegralType());
        break;
      case clang::TemplateArgument::Template:
        note(Argument.getAsTemplate().getAsTemplateDecl());
        break;
      case clang::TemplateArgument::Pack:
        noteArguments(Argument.getPackAsArray());
        break;
      default:
        break;
      }
  }

  void note(const clang::NamedDecl *D) {
    if (!D || !SeenDecls.insert(D).second)
      return;
    Found(D);
    if (const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D)) {
      note(Function->getTemplateInstantiationPattern());
      note(Function->getPrimaryTemplate());
      if (const clang::TemplateArgumentList *List = Function->getTemplateSpecializationArgs())
        noteArguments(List->asArray());
    } else if (const auto *Variable = llvm::dyn_cast<clang::VarDecl>(D)) {
      note(Variable->getTemplateInstantiationPattern());
      if (const auto *Instance = llvm::dyn_cast<clang::VarTemplateSpecializationDecl>(D))
        note(Instance->getSpecializedTemplate());
    } else if (const auto *Class = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(D)) {
      note(Class->getSpecializedTemplate());
      note(Class->getTemplateInstantiationPattern());
    } else if (const auto *Record = llvm::dyn_cast<clang::CXXRecordDecl>(D)) {
      note(Record->getTemplateInstantiationPattern());
    } else if (const auto *Enum = llvm::dyn_cast<clang::EnumDecl>(D)) {
      note(Enum->getTemplateInstantiationPattern());
    } else if (const auto *Shadow = llvm::dyn_cast<clang::UsingShadowDecl>(D)) {
      note(Shadow->getTargetDecl());
    }
  }

  llvm::function_ref<void(const clang::NamedDecl *)> Found;
  llvm::DenseSet<const clang::NamedDecl *> SeenDecls;
  llvm::DenseSet<const clang::Type *> SeenTypes;
};

} // namespace

void cupel::forEachReference(const clang::Decl *D,
                             llvm::function_ref<void(const clang::NamedDecl *)> Found) {
  // The visitor takes declarations that it may change and changes none.
  ReferenceVisitor(Found).TraverseDecl(const_cast<clang::Decl *>(D));
}

void cupel::forEachReference(clang::QualType Type,
                             llvm::function_ref<void(const clang::NamedDecl *)> Found) {
  ReferenceVisitor(Found).noteType(Type);
}
