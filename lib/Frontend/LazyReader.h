//===- LazyReader.h - reads of a precompiled header only what is named ------===//
#ifndef CUPEL_LIB_FRONTEND_LAZYREADER_H
#define CUPEL_LIB_FRONTEND_LAZYREADER_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "clang/Serialization/ASTReader.h"

namespace cupel {

/// An AST reader that leaves out the questions which Sema asks about all of the header at the end
/// of a file (or at its start) and whose answers only code generation needs. Each of them reads
/// thousands of declarations of torch's headers; figures are in docs/frontend.md. What Sema finds
/// in the submission itself never comes through here.
class LazyReader final : public clang::ASTReader {
public:
  using ASTReader::ASTReader;

  /// The pass that this reader serves.
  const ParsedPass *Pass = nullptr;

  /// Clang asks for all instances of a class template where it wants the partial specializations,
  /// and std::__or_ alone has a thousand in torch's headers. An instance that is needed is still
  /// found by its arguments, which is the other overload.
  bool LoadExternalSpecializations(const clang::Decl *Template, bool) override {
    return ASTReader::LoadExternalSpecializations(Template, /*OnlyPartial=*/true);
  }
  using ASTReader::LoadExternalSpecializations;

  /// Declarations that must be emitted, such as `std::ios_base::Init`.
  void StartTranslationUnit(clang::ASTConsumer *) override {}
  void ReadPendingInstantiations(
      llvm::SmallVectorImpl<std::pair<clang::ValueDecl *, clang::SourceLocation>> &) override {}
  void ReadDeclsToCheckForDeferredDiags(llvm::SmallSetVector<clang::Decl *, 4> &) override {}
  void ReadUsedVTables(llvm::SmallVectorImpl<clang::ExternalVTableUse> &) override {}
  /// Sema is about to complain of functions without a body. Those of the headers have none because
  /// dropHeaderInstances wanted none.
  void ReadUndefinedButUsed(
      llvm::MapVector<clang::NamedDecl *, clang::SourceLocation> &Undefined) override {
    if (Pass)
      Undefined.remove_if(
          [&](const auto &Entry) { return !Pass->isInSubmission(Entry.first->getLocation()); });
  }
  void ReadDelegatingConstructors(llvm::SmallVectorImpl<clang::CXXConstructorDecl *> &) override {}
  void ReadMismatchingDeleteExpressions(
      llvm::MapVector<clang::FieldDecl *,
                      llvm::SmallVector<std::pair<clang::SourceLocation, bool>, 4>> &) override {}
  void ReadTentativeDefinitions(llvm::SmallVectorImpl<clang::VarDecl *> &) override {}
  void ReadUnusedFileScopedDecls(llvm::SmallVectorImpl<const clang::DeclaratorDecl *> &) override {}
  void ReadUnusedLocalTypedefNameCandidates(
      llvm::SmallSetVector<const clang::TypedefNameDecl *, 4> &) override {}
};

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_LAZYREADER_H
