//===- SourceItems.h - a submission's text as declarations ------------------===//
#ifndef CUPEL_LIB_SPLIT_SOURCEITEMS_H
#define CUPEL_LIB_SPLIT_SOURCEITEMS_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "cupel/Support/Error.h"

namespace cupel {

/// A piece of the submission's text that is kept or left out as a whole: a declaration outside of
/// functions and classes, or several that share text (`int a, b;`, one macro).
struct SourceItem {
  unsigned Gap = 0;            ///< Where the text that only leads to it begins: attributes, `;`.
  unsigned Begin = 0, End = 0; ///< Bytes of the source, a closing `;` included.
  bool Kept = false;
  /// The declarations in it, of both passes.
  std::vector<std::pair<const ParsedPass *, const clang::Decl *>> Decls;
};

/// All of both passes, in the order of the text. Namespaces and linkage blocks are no items; what
/// is in them is. Error: `not-split`, for declarations that come from another file of the
/// submission.
llvm::Expected<std::vector<SourceItem>> sourceItems(const ParsedSubmission &Submission);

/// The item that holds \p Offset; null when none does.
SourceItem *itemAt(std::vector<SourceItem> &Items, unsigned Offset);

/// Where \p Location, a macro's expansion for what is in a macro, stands in the submission's file;
/// nothing when it is in another file.
std::optional<unsigned> offsetOf(const ParsedPass &Pass, clang::SourceLocation Location);

llvm::Error notSplit(const llvm::Twine &Why, SourcePlace Place = {});

} // namespace cupel

#endif // CUPEL_LIB_SPLIT_SOURCEITEMS_H
