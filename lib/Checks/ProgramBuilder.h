//===- ProgramBuilder.h - finds all code of a submission --------------------===//
#ifndef CUPEL_LIB_CHECKS_PROGRAMBUILDER_H
#define CUPEL_LIB_CHECKS_PROGRAMBUILDER_H

#include "CodeWalker.h"
#include "clang/AST/DeclTemplate.h"

namespace cupel {

/// Makes the units of a Program: functions of the submission's text, instances of its templates,
/// initialisers, closures, and instances of headers' templates for the submission's types.
class ProgramBuilder : CodeSink {
public:
  explicit ProgramBuilder(Program &P, const Symbols &Names) : P(P), Names(Names) {}
  void build();

private:
  void foundLambda(const clang::CXXMethodDecl *CallOperator, bool IsPattern) override;
  void foundLocalDecl(clang::Decl *D, bool IsPattern) override;

  void declare(clang::Decl *D, bool IsPattern);
  void declareContext(const clang::DeclContext *C, bool IsPattern);
  void declareTemplate(const clang::FunctionTemplateDecl *T, bool IsPattern);
  void declareTemplate(const clang::ClassTemplateDecl *T, bool IsPattern);
  void declareUnusedMethods(const clang::CXXRecordDecl *Pattern, const clang::ClassTemplateDecl *T);

  CodeUnit *addFunction(const clang::FunctionDecl *F, bool IsPattern, bool IsForeign = false);
  void addVariable(const clang::VarDecl *V, bool IsPattern);
  CodeUnit *add(const clang::Decl *Key, const clang::Decl *Body);
  void lookAtCallees(const CodeUnit &Unit);

  /// Whether an instance of a header's template is made for types of the submission or tensors, so
  /// that its body can hold calls that the submission asked for.
  bool isForeignOfInterest(const clang::FunctionDecl *F) const;

  Program &P;
  const Symbols &Names;
  size_t ForeignCount = 0;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_PROGRAMBUILDER_H
