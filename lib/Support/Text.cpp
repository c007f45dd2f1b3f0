//===- Text.cpp - names, figures and quotes for people ----------------------===//

#include "cupel/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace cupel;
using llvm::StringRef;

/// Whether two neighbours in \p Name changed places, the commonest slip of all.
static bool areSwapped(StringRef Name, StringRef Candidate) {
  if (Name.size() != Candidate.size())
    return false;
  auto [In, Other] = std::mismatch(Name.begin(), Name.end(), Candidate.begin());
  return Name.end() - In >= 2 && In[0] == Other[1] && In[1] == Other[0] &&
         std::equal(In + 2, Name.end(), Other + 2);
}

/// Twice the edit distance, with one less where only the case differs.
static unsigned slipDistance(StringRef Name, StringRef Candidate, unsigned Most) {
  if (areSwapped(Name, Candidate))
    return 1;
  unsigned Exact = Name.edit_distance(Candidate, /*AllowReplacements=*/true, Most);
  unsigned Folded = Name.edit_distance_insensitive(Candidate, /*AllowReplacements=*/true, Most);
  return Folded + Exact;
}

std::optional<std::string> cupel::nearestName(StringRef Name,
                                              llvm::ArrayRef<StringRef> Candidates) {
  // A third of the name, as Clang's typo correction allows, rounded up so that two letters of a
  // short name can be wrong.
  unsigned Most = std::max<unsigned>(1, (Name.size() + 2) / 3);
  unsigned Best = 2 * Most + 1;
  std::optional<std::string> Nearest;
  for (StringRef Candidate : Candidates) {
    bool SameButForCase = Name.equals_insensitive(Candidate);
    unsigned Distance = SameButForCase ? 0 : slipDistance(Name, Candidate, Most);
    // Replacing every letter of a short name gives another word, not a slip.
    if (Distance >= Best || (!SameButForCase && Distance >= 2 * Candidate.size()))
      continue;
    Best = Distance;
    Nearest = Candidate.str();
  }
  return Nearest;
}

std::string cupel::formatSignificant(double Value, unsigned Digits) {
  if (!std::isfinite(Value))
    return std::isnan(Value) ? "nan" : Value < 0 ? "-inf" : "inf";
  if (Value == 0)
    return "0";
  int Magnitude = int(std::floor(std::log10(std::fabs(Value))));
  int Decimals = std::max(0, int(Digits) - 1 - Magnitude);
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.*f", Decimals, Value);
  // 9.996 is printed with one digit too many once it has been rounded to 10.00.
  double Rounded = std::strtod(Text.c_str(), nullptr);
  int Now = Rounded == 0 ? Magnitude : int(std::floor(std::log10(std::fabs(Rounded))));
  if (Now > Magnitude && Decimals > 0) {
    Text.clear();
    llvm::raw_string_ostream(Text) << llvm::format("%.*f", Decimals - 1, Value);
  }
  return Text;
}

namespace {
struct Scale {
  double Factor;
  const char *Name;
};
} // namespace

/// The largest scale in which \p Value, rounded to three digits, is at least 1.
template <size_t N> static std::string scaled(double Value, const Scale (&Scales)[N]) {
  const Scale *Chosen = &Scales[0];
  for (const Scale &S : Scales)
    if (std::fabs(Value) >= S.Factor * 0.9995)
      Chosen = &S;
  return formatSignificant(Value / Chosen->Factor) + " " + Chosen->Name;
}

std::string cupel::formatDuration(double Seconds) {
  if (!std::isfinite(Seconds))
    return formatSignificant(Seconds);
  if (Seconds == 0)
    return "0 s";
  if (std::fabs(Seconds) < 119.5) {
    static const Scale Scales[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};
    return scaled(Seconds, Scales);
  }
  auto Whole = static_cast<long long>(std::llround(std::fabs(Seconds)));
  std::string Sign = Seconds < 0 ? "-" : "";
  if (Whole < 3600)
    return Sign + std::to_string(Whole / 60) + " min " + std::to_string(Whole % 60) + " s";
  return Sign + std::to_string(Whole / 3600) + " h " + std::to_string(Whole % 3600 / 60) + " min";
}

std::string cupel::formatMicroseconds(double Microseconds) {
  return formatDuration(Microseconds * 1e-6);
}

std::string cupel::formatBytes(uint64_t Bytes) {
  if (Bytes < 1024)
    return std::to_string(Bytes) + " B";
  static const Scale Scales[] = {{0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"},
                                 {0x1p40, "TiB"}, {0x1p50, "PiB"}, {0x1p60, "EiB"}};
  return scaled(double(Bytes), Scales);
}

std::string cupel::formatQuantity(double Value, StringRef Unit) {
  if (!std::isfinite(Value) || std::fabs(Value) < 999.5)
    return formatSignificant(Value) + " " + Unit.str();
  static const Scale Scales[] = {{1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}};
  return scaled(Value, Scales) + Unit.str();
}

/// Length of the UTF-8 sequence at the front of \p Text when it is a whole, legal and printable
/// one, else 0.
static size_t printableSequence(StringRef Text) {
  auto First = static_cast<unsigned char>(Text.front());
  if (First < 0x80)
    return First >= 0x20 && First != 0x7f;
  const auto *Begin = reinterpret_cast<const llvm::UTF8 *>(Text.begin());
  const auto *End = reinterpret_cast<const llvm::UTF8 *>(Text.end());
  if (!llvm::isLegalUTF8Sequence(Begin, End))
    return 0;
  size_t Length = llvm::getNumBytesForUTF8(First);
  // U+0080 to U+009F are control characters of terminals too; U+202A to U+202E and U+2066 to
  // U+2069 turn the direction of what follows.
  llvm::StringRef Sequence = Text.take_front(Length);
  bool C1 = First == 0xc2 && static_cast<unsigned char>(Text[1]) < 0xa0;
  bool Bidi = (Sequence >= "\xe2\x80\xaa" && Sequence <= "\xe2\x80\xae") ||
              (Sequence >= "\xe2\x81\xa6" && Sequence <= "\xe2\x81\xa9");
  return C1 || Bidi ? 0 : Length;
}

std::string cupel::printableLine(StringRef Text, size_t MaxBytes) {
  std::string Line;
  while (!Text.empty()) {
    if (Line.size() >= MaxBytes)
      return Line + "...";
    if (size_t Length = printableSequence(Text)) {
      Line += Text.take_front(Length);
      Text = Text.drop_front(Length);
      continue;
    }
    char Byte = Text.front();
    Text = Text.drop_front();
    if (Byte == '\n')
      Line += "\\n";
    else if (Byte == '\t')
      Line += "\\t";
    else
      Line += "\\x" + llvm::toHex(StringRef(&Byte, 1), /*LowerCase=*/true);
  }
  return Line;
}

std::string cupel::shellQuote(StringRef Text) {
  static constexpr StringRef Safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789_-+=./:,@%";
  if (!Text.empty() && Text.find_first_not_of(Safe) == StringRef::npos)
    return Text.str();
  std::string Quoted = "'";
  for (char C : Text) {
    if (C == '\'')
      Quoted += "'\\''";
    else
      Quoted += C;
  }
  return Quoted + "'";
}

std::string cupel::undefineWords(StringRef Code) {
  std::set<StringRef> Words;
  for (size_t I = 0; I < Code.size();) {
    size_t End = I;
    while (End < Code.size() && (llvm::isAlnum(Code[End]) || Code[End] == '_'))
      ++End;
    if (End > I && !llvm::isDigit(Code[I]))
      Words.insert(Code.slice(I, End));
    I = std::max(End, I + 1);
  }
  std::string Result;
  for (StringRef Word : Words)
    Result += "#undef " + Word.str() + "\n";
  return Result;
}
