//===- Json.cpp - JSON that others wrote -------------------------------------===//

#include "cupel/Support/Json.h"

using namespace cupel;
using llvm::StringRef;

/// Text that is no JSON may be counted wrongly: the parser stops at its first mistake, and up to
/// there the count is right.
static bool nestsTooDeep(StringRef Text) {
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (InString) {
      if (C == '\\')
        ++I;
      else if (C == '"')
        InString = false;
    } else if (C == '"') {
      InString = true;
    } else if (C == '[' || C == '{') {
      if (++Depth > MaxJsonDepth)
        return true;
    } else if ((C == ']' || C == '}') && Depth > 0) {
      --Depth;
    }
  }
  return false;
}

llvm::Expected<llvm::json::Value> cupel::parseJson(StringRef Text) {
  if (nestsTooDeep(Text))
    return makeError("json-too-deep",
                     "nested too deeply: more than " + llvm::Twine(MaxJsonDepth) + " levels");
  llvm::Expected<llvm::json::Value> Value = llvm::json::parse(Text);
  if (!Value)
    return makeError("json-syntax", llvm::toString(Value.takeError()));
  return Value;
}
