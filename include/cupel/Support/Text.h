//===- Text.h - names, figures and quotes for people ------------------------===//
#ifndef CUPEL_SUPPORT_TEXT_H
#define CUPEL_SUPPORT_TEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace cupel {

/// The candidate nearest to \p Name by edit distance, when it is near enough to be a slip of the
/// finger: at most about a third of the name's length away, and never an entirely different word.
/// Case counts half. Of equals the first wins.
std::optional<std::string> nearestName(llvm::StringRef Name,
                                       llvm::ArrayRef<llvm::StringRef> Candidates);

/// The same for any range of strings.
template <typename Range>
std::optional<std::string> nearestName(llvm::StringRef Name, const Range &Candidates) {
  llvm::SmallVector<llvm::StringRef, 32> Views(std::begin(Candidates), std::end(Candidates));
  return nearestName(Name, llvm::ArrayRef<llvm::StringRef>(Views));
}

/// `; did you mean 'NEAREST'?`, or nothing when no candidate is near.
template <typename Range> std::string didYouMean(llvm::StringRef Name, const Range &Candidates) {
  std::optional<std::string> Nearest = nearestName(Name, Candidates);
  return Nearest ? "; did you mean '" + *Nearest + "'?" : std::string();
}

/// A duration with three significant digits and the unit that suits it: `12.3 us`, `4.56 ms`,
/// `1.20 s`, `3 min 5 s`. Negative and not finite values are printed as they are.
std::string formatDuration(double Seconds);

/// The same from microseconds, the unit of records.
std::string formatMicroseconds(double Microseconds);

/// A size in powers of 1024: `17 B`, `1.50 KiB`, `12.3 GiB`.
std::string formatBytes(uint64_t Bytes);

/// A rate or count in powers of 1000 with its unit: `3.35 TB/s` from (3.35e12, "B/s").
std::string formatQuantity(double Value, llvm::StringRef Unit);

/// \p Value with \p Digits significant digits and no exponent: `0.0123`, `1230`.
std::string formatSignificant(double Value, unsigned Digits = 3);

/// \p Text as one printable line: control characters and bytes that are not UTF-8 become escapes,
/// and what is longer than \p MaxBytes is cut with `...`. For text that others wrote.
std::string printableLine(llvm::StringRef Text, size_t MaxBytes = 200);

/// \p Text as one word of a POSIX shell, quoted only where it must be.
std::string shellQuote(llvm::StringRef Text);

/// `#undef` for each word of \p Code, a line each: C++ that is put behind somebody's source, where
/// his macros are still defined, means what it says.
std::string undefineWords(llvm::StringRef Code);

} // namespace cupel

#endif // CUPEL_SUPPORT_TEXT_H
