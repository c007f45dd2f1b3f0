//===- Json.h - JSON that others wrote --------------------------------------===//
#ifndef CUPEL_SUPPORT_JSON_H
#define CUPEL_SUPPORT_JSON_H

#include "cupel/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace cupel {

/// Records are some ten levels deep.
inline constexpr unsigned MaxJsonDepth = 64;

/// llvm::json::parse for a text of any depth: LLVM's parser recurses once a level without a limit,
/// so that a file of brackets overflows the stack. Errors: `json-too-deep`, `json-syntax`.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text);

} // namespace cupel

#endif // CUPEL_SUPPORT_JSON_H
