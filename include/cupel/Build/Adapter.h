//===- Adapter.h - from exact signatures to boxed calls ---------------------===//
//
// The adapter makes every function that a submission binds callable as
// `void cupel_call_<index>(torch::jit::Stack &)`, without Python and pybind11 (design section 5).
// It has two halves: a tail behind the submission's own text, which alone can name functions with
// internal linkage, and a C++ file that depends on the signatures only. The file needs
// ATen/core/ivalue.h, which costs seconds, so it is compiled beside nvcc and kept in the cache:
// most submissions share a handful of signatures. docs/build.md has the symbols.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_BUILD_ADAPTER_H
#define CUPEL_BUILD_ADAPTER_H

#include "cupel/Frontend/Entry.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace cupel {

/// An entry that no adapter can be made for.
struct AdapterRefusal {
  size_t Index = 0;
  std::string Why; ///< Names the argument and its type.
};

struct AdapterSource {
  /// Goes behind the submission in the same translation unit: typed function pointers.
  std::string Tail;
  /// A translation unit of its own: conversions, the boxed functions and the table.
  std::string Boxed;
  std::vector<AdapterRefusal> Refused;
  size_t Accepted = 0;
};

/// Symbol of the boxed function of entry \p Index.
std::string adapterSymbol(size_t Index);

/// What `cupel_adapter_abi()` of a library returns that was built against \p TorchVersion.
std::string adapterAbi(llvm::StringRef TorchVersion);

/// Makes both halves for \p Source, in which the text of a lambda must stand that is an entry. An
/// entry of an unsupported type, or whose record does not look like C++ types and names, is
/// refused; the others keep their index.
AdapterSource generateAdapter(llvm::ArrayRef<EntrySignature> Entries, llvm::StringRef TorchVersion,
                              llvm::StringRef Source = "");

} // namespace cupel

#endif // CUPEL_BUILD_ADAPTER_H
