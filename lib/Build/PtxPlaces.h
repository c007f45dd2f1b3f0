//===- PtxPlaces.h - from a line of PTX to the submission's ------------------===//
#ifndef CUPEL_LIB_BUILD_PTXPLACES_H
#define CUPEL_LIB_BUILD_PTXPLACES_H

#include "cupel/Support/Error.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cupel {

/// Where the code of line \p Line of \p Ptx comes from, by the last `.loc` in front of it in its
/// function that names the file \p CompiledName. Line and column alone; nothing when no `.loc`
/// does.
std::optional<SourcePlace> placeInPtx(llvm::StringRef Ptx, unsigned Line,
                                      llvm::StringRef CompiledName);

} // namespace cupel

#endif // CUPEL_LIB_BUILD_PTXPLACES_H
