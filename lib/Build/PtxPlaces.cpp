//===- PtxPlaces.cpp - from a line of PTX to the submission's ----------------===//
//
// `.loc FILE LINE COLUMN` stands in front of the instructions of a place, `.file FILE "PATH"`
// anywhere (PTX ISA 9.0, section 11.5: debugging directives).
//
//===----------------------------------------------------------------------===//

#include "PtxPlaces.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace cupel;
using llvm::StringRef;

/// The words of a directive, without the commas.
static llvm::SmallVector<StringRef, 8> wordsOf(StringRef Line) {
  llvm::SmallVector<StringRef, 8> Words;
  llvm::SplitString(Line, Words, " \t,");
  return Words;
}

static std::set<std::string> filesCalled(llvm::ArrayRef<StringRef> Lines, StringRef Name) {
  std::set<std::string> Numbers;
  for (StringRef Line : Lines)
    if (Line.ltrim().starts_with(".file"))
      if (auto Words = wordsOf(Line);
          Words.size() > 2 && llvm::sys::path::filename(Words[2].trim('"')) == Name)
        Numbers.insert(Words[1].str());
  return Numbers;
}

std::optional<SourcePlace> cupel::placeInPtx(StringRef Ptx, unsigned Line, StringRef CompiledName) {
  llvm::SmallVector<StringRef, 256> Lines;
  Ptx.split(Lines, '\n');
  const std::set<std::string> Files = filesCalled(Lines, CompiledName);
  for (size_t I = std::min<size_t>(Line, Lines.size()); I-- > 0;) {
    StringRef Text = Lines[I].ltrim();
    if (Text.contains(".entry ") || Text.contains(".func "))
      break;
    if (!Text.starts_with(".loc"))
      continue;
    auto Words = wordsOf(Text);
    SourcePlace Place;
    if (Words.size() > 3 && Files.count(Words[1].str()) && !Words[2].getAsInteger(10, Place.Line) &&
        !Words[3].getAsInteger(10, Place.Column))
      return Place;
  }
  return std::nullopt;
}
