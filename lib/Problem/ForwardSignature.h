//===- ForwardSignature.h - the arguments of a reference's forward ----------===//
#ifndef CUPEL_LIB_PROBLEM_FORWARDSIGNATURE_H
#define CUPEL_LIB_PROBLEM_FORWARDSIGNATURE_H

#include "cupel/Support/Error.h"
#include <string>
#include <vector>

namespace cupel {

/// Where the text of a reference stands in its file.
struct SourceOrigin {
  SourcePlace Start; ///< Of the text's first character.
  /// Lines of the text are lines of the file: a `'''` or `"""` string. Else all is at Start.
  bool LineByLine = true;

  SourcePlace placeOf(llvm::StringRef Text, size_t Offset) const;
};

/// A name in the reference's text, and where.
struct SourceName {
  std::string Name;
  SourcePlace Place;
};

struct ForwardArgument : SourceName {
  std::string Type; ///< Annotation as written; empty: none, which TorchScript takes as Tensor.
};

/// The text with comments and strings blanked out, so that a search finds code only.
std::string blankStringsAndComments(llvm::StringRef Source);

/// Arguments of `def forward(self, ...)` after self. \p Code is free of strings and comments.
/// Errors when there is no such definition, it has no self, or its parentheses do not close.
llvm::Expected<std::vector<ForwardArgument>> findForward(llvm::StringRef Code,
                                                         const SourceOrigin &Origin);

/// Every use of a real dtype, as `torch.float16` or `.half()`, in order.
std::vector<SourceName> findRealDTypes(llvm::StringRef Code, const SourceOrigin &Origin);

/// Every `self.NAME` that is no call, in order.
std::vector<SourceName> findSelfAttributes(llvm::StringRef Code, const SourceOrigin &Origin);

} // namespace cupel

#endif // CUPEL_LIB_PROBLEM_FORWARDSIGNATURE_H
