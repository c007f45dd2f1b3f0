//===- HostUses.h - uses of functions by name, in host code -----------------===//
#ifndef CUPEL_LIB_CHECKS_HOSTUSES_H
#define CUPEL_LIB_CHECKS_HOSTUSES_H

#include "cupel/Checks/CheckContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <initializer_list>
#include <optional>

namespace cupel {

/// Calls \p Visit with each use in host code of a function that the submission does not define
/// itself, and with its qualified name.
void forEachHostUse(CheckContext &Context,
                    llvm::function_ref<void(const FunctionUse &, llvm::StringRef)> Visit);

/// Whether the function of that name reads a clock.
bool isHostClock(llvm::StringRef Name);

/// Reports each use of a function named in \p Names: "'NAME' WHAT".
void reportNamedUses(CheckContext &Context, const Check &C, Level L,
                     std::initializer_list<llvm::StringRef> Names, llvm::StringRef What);

/// The argument at \p Index of the call, when it is a constant.
std::optional<int64_t> integerArgument(const FunctionUse &Use, unsigned Index,
                                       const clang::ASTContext &AST);

/// The argument at \p Index of the call or constructor, when it is a string literal.
std::optional<std::string> stringArgument(const FunctionUse &Use, unsigned Index);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_HOSTUSES_H
