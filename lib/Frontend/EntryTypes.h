//===- EntryTypes.h - C++ types to what the adapter can pass ----------------===//
#ifndef CUPEL_LIB_FRONTEND_ENTRYTYPES_H
#define CUPEL_LIB_FRONTEND_ENTRYTYPES_H

#include "cupel/Frontend/Entry.h"
#include "clang/AST/Type.h"

namespace cupel {

/// What \p Type is to the adapter, references and const aside.
ValueKind classifyType(clang::QualType Type);

/// The canonical type as C++ spells it in any scope.
std::string spellType(clang::QualType Type, const clang::ASTContext &Context);

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_ENTRYTYPES_H
