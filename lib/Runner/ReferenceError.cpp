//===- ReferenceError.cpp - a mistake in a problem's reference --------------===//

#include "ReferenceError.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>

using namespace cupel;
using llvm::StringRef;

bool cupel::isReferenceError(const WorkerError &Error) {
  return Error.Code == "reference-error" || Error.Code == "reference-failed" ||
         (Error.Code == "out-of-memory" && Error.Stage == "reference");
}

/// A tab would be printed as an escape, and the caret would miss its column.
static std::string withoutTabs(StringRef Line) {
  std::string Text = Line.rtrim().str();
  std::replace(Text.begin(), Text.end(), '\t', ' ');
  return Text;
}

/// What torch says, line by line, the second line and those after it indented.
static std::string printableLines(StringRef Text) {
  constexpr size_t MaxLines = 12;
  llvm::SmallVector<StringRef, 16> Lines;
  Text.rtrim().split(Lines, '\n');
  std::string Result;
  for (size_t I = 0; I != std::min(Lines.size(), MaxLines); ++I)
    if (I == 0 || !Lines[I].trim().empty())
      Result += (I == 0 ? "" : "\n    ") + printableLine(withoutTabs(Lines[I]), 600);
  return Lines.size() > MaxLines ? Result + "\n    ..." : Result;
}

/// Torch finds the end of a line, or what is indented behind it, at the start of the next
/// statement.
static bool isBehindItsLine(StringRef Text) {
  return Text.contains("but found 'newline'") || Text.contains("expected : but found");
}

static bool saysNothing(StringRef Line) {
  return Line.trim().empty() || Line.ltrim().starts_with("#");
}

/// The line and a caret under the column, which counts bytes.
static std::string quoteLine(StringRef Line, unsigned Column) {
  std::string Result = "\n    " + printableLine(withoutTabs(Line), 400);
  if (Column == 0 || Column > Line.size() + 1)
    return Result;
  StringRef Before = Line.take_front(Column - 1);
  int Width = llvm::sys::unicode::columnWidthUTF8(Before);
  return Result + "\n    " + std::string(Width < 0 ? Column - 1 : Width, ' ') + "^";
}

llvm::Error cupel::referenceError(const WorkerError &Error, const ProblemSpec &Problem) {
  std::string Text = "reference.source: " + printableLines(Error.Text);
  llvm::SmallVector<StringRef, 32> Lines;
  StringRef(Problem.ReferenceSource).split(Lines, '\n');
  unsigned Line = Error.Line, Column = Error.Column;
  if (Line == 0)
    return makeError(Error.Code, Text, Problem.ReferencePlace);
  // What is missing at the end of a line, or of all, is told behind that end.
  const bool IsBehind = Column == 0 && Line > 1 && isBehindItsLine(Error.Text);
  if (IsBehind || Line > Lines.size() || Lines[Line - 1].trim().empty()) {
    Line = std::min<unsigned>(Line - IsBehind, Lines.size());
    while (Line > 1 && saysNothing(Lines[Line - 1]))
      --Line;
    Column = Lines[Line - 1].rtrim().size() + 1;
  } else if (Column == 0) {
    Column = Lines[Line - 1].size() - Lines[Line - 1].ltrim().size() + 1;
  }
  Text += quoteLine(Lines[Line - 1], Column);
  SourcePlace Place = Problem.ReferencePlace;
  // Without a column, in a string on one line, all of the source has one place.
  if (Place.Column != 0) {
    Place.Column = Line == 1 && Column != 0 ? Place.Column + Column - 1 : Column;
    Place.Line += Line - 1;
  }
  return makeError(Error.Code, Text, Place);
}
