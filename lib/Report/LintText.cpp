//===- LintText.cpp - lint records as Clang prints diagnostics --------------===//
//
// Everything that a submission can influence is printed with control characters escaped.
//
//===----------------------------------------------------------------------===//

#include "cupel/Report/LintReport.h"
#include "cupel/Report/Version.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace cupel;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

/// Columns of source that are shown around a caret.
constexpr size_t LineWidth = 160, MessageWidth = 1000;

raw_ostream::Colors colourOf(Level L) {
  switch (L) {
  case Level::Error:
  case Level::Reject:
    return raw_ostream::RED;
  case Level::Warn:
    return raw_ostream::MAGENTA;
  case Level::Note:
    return raw_ostream::CYAN;
  }
  return raw_ostream::CYAN;
}

class TextWriter {
public:
  TextWriter(const LintedFile &File, bool Colour, raw_ostream &OS)
      : File(File), Colour(Colour), OS(OS) {
    StringRef(File.Source).split(Lines, '\n');
  }

  void write(const Finding &F) {
    line(F.Place, toString(F.Severity), colourOf(F.Severity), F.Message, F.Id);
    for (const FindingNote &N : F.Notes)
      line(N.Place, "note", raw_ostream::BLACK, N.Message, "");
  }

private:
  void line(const SourcePlace &Place, StringRef Word, raw_ostream::Colors WordColour,
            StringRef Message, StringRef Id) {
    paint(raw_ostream::SAVEDCOLOR, true);
    OS << printableLine(Place.File, MessageWidth) << ':';
    if (Place.Line != 0)
      OS << Place.Line << ':' << Place.Column << ':';
    OS << ' ';
    paint(WordColour, true);
    OS << Word << ": ";
    reset();
    paint(raw_ostream::SAVEDCOLOR, true);
    OS << printableLine(Message, MessageWidth);
    reset();
    if (!Id.empty())
      OS << " [" << Id << ']';
    OS << '\n';
    if (Place.File == File.Record.File && Place.Line != 0 && Place.Line <= Lines.size())
      excerpt(Lines[Place.Line - 1], Place.Line, Place.Column);
  }

  /// The line with a caret below \p Column. Tabs become blanks and other bytes escapes, so columns
  /// are counted in what is printed.
  void excerpt(StringRef Line, unsigned Number, unsigned Column) {
    Line = Line.rtrim('\r');
    size_t Caret = std::min<size_t>(Column ? Column - 1 : 0, Line.size());
    size_t Begin = Caret > LineWidth / 2 && Line.size() > LineWidth ? Caret - LineWidth / 2 : 0;
    std::string Head = printed(Line.substr(Begin, Caret - Begin));
    std::string Tail = printed(Line.substr(Caret, LineWidth - (Caret - Begin)));
    OS << llvm::format("%5u | ", Number) << Head << Tail << "\n      | ";
    OS.indent(Head.size());
    paint(raw_ostream::GREEN, true);
    OS << '^';
    reset();
    OS << '\n';
  }

  static std::string printed(StringRef Text) {
    std::string Result;
    for (char C : Text) {
      if (C == '\t')
        Result += ' ';
      else if (llvm::isPrint(C))
        Result += C;
      else
        Result += "<" + llvm::toHex(StringRef(&C, 1)) + ">";
    }
    return Result;
  }

  void paint(raw_ostream::Colors C, bool Bold) {
    if (Colour)
      OS.changeColor(C, Bold);
  }
  void reset() {
    if (Colour)
      OS.resetColor();
  }

  const LintedFile &File;
  bool Colour;
  raw_ostream &OS;
  llvm::SmallVector<StringRef, 0> Lines;
};

std::string counted(const LintRecord &Record) {
  std::string Text;
  auto Count = [&](Level L, StringRef Word) {
    size_t N = llvm::count_if(Record.Findings, [&](const Finding &F) { return F.Severity == L; });
    if (N != 0)
      Text += (llvm::Twine(Text.empty() ? "" : ", ") + llvm::Twine(N) + " " + Word +
               (N == 1 ? "" : "s"))
                  .str();
  };
  Count(Level::Reject, "reject");
  Count(Level::Warn, "warning");
  Count(Level::Error, "error");
  Count(Level::Note, "note");
  return Text.empty() ? "no findings" : Text;
}

} // namespace

/// The ids in \p Suppressed, with `MODULE-*` for a module that is switched off whole.
static std::vector<std::string> grouped(const std::vector<std::string> &Suppressed) {
  CheckRegistry Registry;
  registerAllChecks(Registry);
  std::map<std::string, std::vector<std::string>> Off;
  std::map<std::string, size_t> Size;
  for (const auto &C : Registry.checks())
    ++Size[C->module().str()];
  for (const std::string &Id : Suppressed)
    Off[StringRef(Id).split('-').first.str()].push_back(Id);
  std::vector<std::string> Names;
  for (const auto &[Module, Ids] : Off) {
    if (Ids.size() == Size[Module])
      Names.push_back(Module + "-*");
    else
      Names.insert(Names.end(), Ids.begin(), Ids.end());
  }
  return Names;
}

std::string cupel::lintSummary(const LintRecord &Record) {
  std::string Text = printableLine(Record.File, MessageWidth) + ": ";
  Text +=
      Record.Outcome == Verdict::CouldNotJudge ? "could not judge" : toString(Record.Outcome).str();
  Text += ": " + counted(Record) + " (policy " + Record.Policy;
  if (Record.PolicySource != "default")
    Text += " of the " + Record.PolicySource;
  Text += ")";
  if (!Record.Suppressed.empty())
    Text += "; switched off: " + llvm::join(grouped(Record.Suppressed), ", ");
  return Text;
}

void cupel::writeLintText(const LintedFile &File, bool Colour, raw_ostream &OS) {
  TextWriter Writer(File, Colour, OS);
  for (const Finding &F : File.Record.Findings)
    Writer.write(F);
  OS << lintSummary(File.Record) << '\n';
}

void cupel::writeLintJson(llvm::ArrayRef<LintedFile> Files, raw_ostream &OS) {
  llvm::json::Array Submissions;
  for (const LintedFile &File : Files)
    Submissions.push_back(toJson(File.Record));
  llvm::json::Object Root{{"cupel", CupelVersion}, {"submissions", std::move(Submissions)}};
  OS << llvm::formatv("{0:2}", llvm::json::Value(std::move(Root))) << '\n';
}
