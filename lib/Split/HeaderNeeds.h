//===- HeaderNeeds.h - the headers that device code names --------------------===//
#ifndef CUPEL_LIB_SPLIT_HEADERNEEDS_H
#define CUPEL_LIB_SPLIT_HEADERNEEDS_H

#include "SourceItems.h"
#include <set>

namespace cupel {

/// Collects headers by what is used of them. The CUDA runtime's are always there: nvcc includes
/// them.
class HeaderNeeds {
public:
  explicit HeaderNeeds(const ParsedSubmission &Submission);

  /// What stands at \p Location, in a header of \p Pass, is needed.
  void add(const ParsedPass &Pass, clang::SourceLocation Location);

  /// As `#include <...>` names them, sorted.
  const std::set<std::string> &headers() const { return Headers; }
  /// What is needed and has no header for nvcc; empty when there is nothing.
  const std::string &missing() const { return Missing; }

private:
  std::string headerFor(const ParsedPass &Pass, clang::SourceLocation Location);

  std::set<std::string> Headers;
  std::set<std::pair<const ParsedPass *, unsigned>> Seen;
  std::string Missing;
};

} // namespace cupel

#endif // CUPEL_LIB_SPLIT_HEADERNEEDS_H
