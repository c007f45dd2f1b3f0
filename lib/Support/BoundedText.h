//===- BoundedText.h - the beginning and the end of a long text -------------===//
#ifndef CUPEL_LIB_SUPPORT_BOUNDEDTEXT_H
#define CUPEL_LIB_SUPPORT_BOUNDEDTEXT_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <string>

namespace cupel {

/// Keeps the first and the last half of what would be too long: a compiler's first error and a
/// crash's last words both matter.
class BoundedText {
public:
  explicit BoundedText(uint64_t Limit) : Half(Limit / 2) {}

  void append(llvm::StringRef Text) {
    Total += Text.size();
    size_t ToHead = std::min<uint64_t>(Text.size(), Half - Head.size());
    Head += Text.take_front(ToHead);
    Tail += Text.drop_front(ToHead);
    // Cut only now and then, so that a flood of short writes costs no move of the text each.
    if (Tail.size() > 2 * Half + 4096)
      Tail.erase(0, Tail.size() - Half);
  }

  uint64_t total() const { return Total; }
  bool truncated() const { return Total > 2 * Half; }

  std::string text() const {
    if (!truncated())
      return Head + Tail;
    uint64_t LeftOut = Total - 2 * Half;
    return Head + "\n[" + std::to_string(LeftOut) + " bytes left out]\n" +
           Tail.substr(Tail.size() - Half);
  }

private:
  uint64_t Half;
  uint64_t Total = 0;
  std::string Head, Tail;
};

} // namespace cupel

#endif // CUPEL_LIB_SUPPORT_BOUNDEDTEXT_H
