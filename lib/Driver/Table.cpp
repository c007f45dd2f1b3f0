//===- Table.cpp - text in columns ------------------------------------------===//

#include "Table.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>
#include <numeric>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace cupel;

static constexpr unsigned Gap = 2;

static size_t widthOf(llvm::StringRef Text) {
  int Columns = llvm::sys::unicode::columnWidthUTF8(Text);
  return Columns < 0 ? Text.size() : size_t(Columns);
}

/// \p Text in at most \p Width columns.
static std::string fit(llvm::StringRef Text, size_t Width) {
  if (widthOf(Text) <= Width)
    return Text.str();
  while (!Text.empty() && widthOf(Text) >= Width) {
    size_t Last = Text.size() - 1;
    while (Last != 0 && (Text[Last] & 0xC0) == 0x80) // The rest of a character in UTF-8.
      --Last;
    Text = Text.take_front(Last);
  }
  return Text.str() + "\u2026";
}

static void shrink(std::vector<size_t> &Widths, unsigned MostWidth,
                   llvm::ArrayRef<size_t> Shrinkable) {
  constexpr size_t Narrow = 12;
  auto Total = [&] {
    return std::accumulate(Widths.begin(), Widths.end(), Gap * (Widths.size() - 1));
  };
  auto ShrinkUntilNarrow = [&](llvm::ArrayRef<size_t> Columns) {
    while (Total() > MostWidth) {
      size_t Widest = Columns.front();
      for (size_t Column : Columns)
        if (Widths[Column] > Widths[Widest])
          Widest = Column;
      if (Widths[Widest] <= Narrow)
        return;
      --Widths[Widest];
    }
  };
  ShrinkUntilNarrow(Shrinkable.drop_front());
  ShrinkUntilNarrow(Shrinkable.take_front());
}

unsigned cupel::terminalWidth() {
  winsize Size = {};
  // llvm::sys::Process asks the environment alone, where shells do not say it.
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) == 0 ? Size.ws_col : 0;
}

void cupel::printTable(const std::vector<std::vector<std::string>> &Rows, llvm::raw_ostream &OS,
                       llvm::StringRef Indent, unsigned MostWidth,
                       llvm::ArrayRef<size_t> Shrinkable) {
  std::vector<size_t> Widths;
  for (const auto &Row : Rows) {
    Widths.resize(std::max(Widths.size(), Row.size()));
    for (size_t I = 0; I != Row.size(); ++I)
      Widths[I] = std::max(Widths[I], widthOf(Row[I]));
  }
  if (MostWidth != 0 && Shrinkable.size() > 1)
    shrink(Widths, MostWidth, Shrinkable);
  for (const auto &Row : Rows) {
    std::string Line;
    for (size_t I = 0; I != Row.size(); ++I) {
      std::string Cell = fit(Row[I], Widths[I]);
      Line += Cell + std::string(Widths[I] - widthOf(Cell) + Gap, ' ');
    }
    OS << Indent << llvm::StringRef(Line).rtrim() << '\n';
  }
}
