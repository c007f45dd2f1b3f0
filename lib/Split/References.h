//===- References.h - what a declaration names --------------------------------===//
#ifndef CUPEL_LIB_SPLIT_REFERENCES_H
#define CUPEL_LIB_SPLIT_REFERENCES_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cupel {

/// Calls \p Found for every declaration that \p D names or whose type it uses, instances of
/// templates included: functions with their patterns, types, variables, using-declarations. Some
/// come twice.
void forEachReference(const clang::Decl *D,
                      llvm::function_ref<void(const clang::NamedDecl *)> Found);

/// The same for \p Type and its template arguments.
void forEachReference(clang::QualType Type,
                      llvm::function_ref<void(const clang::NamedDecl *)> Found);

} // namespace cupel

#endif // CUPEL_LIB_SPLIT_REFERENCES_H
