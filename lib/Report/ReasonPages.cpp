//===- ReasonPages.cpp - what the documentation says of a reason -------------===//

#include "cupel/Report/ReasonPages.h"
#include "llvm/ADT/SmallVector.h"

using namespace cupel;
using llvm::StringRef;

namespace {

constexpr struct {
  llvm::StringLiteral Id, Text;
} Pages[] = {
#include "ReasonPages.inc"
};

/// `| a | b |` as a and b; empty for a line that is no row.
llvm::SmallVector<StringRef, 4> cellsOf(StringRef Line) {
  llvm::SmallVector<StringRef, 4> Cells;
  Line = Line.trim();
  if (!Line.consume_front("|") || !Line.consume_back("|"))
    return Cells;
  Line.split(Cells, '|');
  for (StringRef &Cell : Cells)
    Cell = Cell.trim();
  return Cells;
}

} // namespace

std::vector<ReasonRow> cupel::rowsFor(StringRef Code, StringRef Page) {
  std::vector<ReasonRow> Found;
  llvm::SmallVector<StringRef, 4> Titles;
  const std::string Wanted = "`" + Code.str() + "`";
  while (!Page.empty()) {
    auto [Line, Rest] = Page.split('\n');
    Page = Rest;
    llvm::SmallVector<StringRef, 4> Cells = cellsOf(Line);
    if (Cells.empty()) {
      Titles.clear();
    } else if (Titles.empty()) {
      Titles = Cells;
    } else if (Cells.front().contains(Wanted)) {
      ReasonRow &Row = Found.emplace_back();
      for (size_t I = 1; I < std::min(Cells.size(), Titles.size()); ++I)
        Row.push_back({Titles[I].str(), Cells[I].str()});
    }
  }
  return Found;
}

std::vector<ReasonRow> cupel::reasonRows(StringRef Code) {
  std::vector<ReasonRow> Found;
  for (const auto &Page : Pages)
    for (ReasonRow &Row : rowsFor(Code, Page.Text))
      Found.push_back(std::move(Row));
  return Found;
}
