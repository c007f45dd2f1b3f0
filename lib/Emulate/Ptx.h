//===- Ptx.h - the text of inline PTX, taken apart --------------------------===//
#ifndef CUPEL_LIB_EMULATE_PTX_H
#define CUPEL_LIB_EMULATE_PTX_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cupel {

/// Calls of share/emulate/cupel/emulate/Ptx.h, as C++ statements, for the PTX instructions in
/// \p Text. Operand N of the asm statement, `%N` in the text, is the variable `cupelOperandN`.
/// The error's text is the instruction that has no such call.
llvm::Expected<std::string> translatePtx(llvm::StringRef Text);

} // namespace cupel

#endif // CUPEL_LIB_EMULATE_PTX_H
