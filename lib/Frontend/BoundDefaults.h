//===- BoundDefaults.h - constants that a binding gives ----------------------===//
#ifndef CUPEL_LIB_FRONTEND_BOUNDDEFAULTS_H
#define CUPEL_LIB_FRONTEND_BOUNDDEFAULTS_H

#include "cupel/Frontend/Entry.h"
#include "clang/AST/Expr.h"

namespace cupel {

/// The value of `py::arg("eps") = 1e-5`, `"eps"_a = 1e-5` or `py::arg_v("eps", 1e-5)`, an
/// expression of type pybind11::arg_v, as EntryArgument::BoundDefault has it for an argument of \p
/// Kind. None for what is no constant, such as a tensor.
std::optional<llvm::json::Value> boundDefault(const clang::Expr *Extra, ValueKind Kind,
                                              const clang::ASTContext &Context);

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_BOUNDDEFAULTS_H
