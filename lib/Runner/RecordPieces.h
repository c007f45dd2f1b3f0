//===- RecordPieces.h - pieces that several records share --------------------===//
#ifndef CUPEL_LIB_RUNNER_RECORDPIECES_H
#define CUPEL_LIB_RUNNER_RECORDPIECES_H

#include "cupel/Runner/ErrorFigures.h"
#include "llvm/Support/JSON.h"
#include <array>

namespace cupel {

/// Figures that are absent stay as they are; what is wrong is reported to \p P.
bool readFigures(const llvm::json::Object &Object, ErrorFigures &Out, llvm::json::Path P);

/// A grid or a block.
inline llvm::json::Value triple(const std::array<unsigned, 3> &Numbers) {
  return llvm::json::Array{static_cast<int64_t>(Numbers[0]), static_cast<int64_t>(Numbers[1]),
                           static_cast<int64_t>(Numbers[2])};
}

/// A candidate's own process tells of its kernels, so counts are read as what fits them.
bool readTriple(const llvm::json::Object &Object, llvm::StringRef Key, std::array<unsigned, 3> &Out,
                llvm::json::Path P);

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_RECORDPIECES_H
