//===- ForwardSignature.cpp - the arguments of a reference's forward --------===//
//
// A light reading of the text, for messages that name the mistake before anything is compiled.
// TorchScript's own compiler, in the worker, has the last word.
//
//===----------------------------------------------------------------------===//

#include "ForwardSignature.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace cupel;

static bool isNameCharacter(char C) { return llvm::isAlnum(C) || C == '_'; }

SourcePlace SourceOrigin::placeOf(llvm::StringRef Text, size_t Offset) const {
  SourcePlace Place = Start;
  if (!LineByLine)
    return Place;
  llvm::StringRef Before = Text.take_front(Offset);
  size_t LineStart = Before.rfind('\n');
  Place.Line += Before.count('\n');
  Place.Column = LineStart == llvm::StringRef::npos ? Start.Column + Offset : Offset - LineStart;
  return Place;
}

/// Length of the string literal that starts at \p Text, to its end or the end of the text.
static size_t literalLength(llvm::StringRef Text) {
  std::string Triple(3, Text.front());
  llvm::StringRef Quote = Text.starts_with(Triple) ? llvm::StringRef(Triple) : Text.take_front(1);
  size_t I = Quote.size();
  while (I < Text.size() && !Text.substr(I).starts_with(Quote))
    I += Text[I] == '\\' ? 2 : 1;
  return std::min(I + Quote.size(), Text.size());
}

std::string cupel::blankStringsAndComments(llvm::StringRef Source) {
  std::string Code = Source.str();
  for (size_t I = 0; I < Code.size();) {
    llvm::StringRef Rest = Source.substr(I);
    size_t Length = 1;
    if (Rest.front() == '#')
      Length = std::min(Rest.find('\n'), Rest.size());
    else if (Rest.front() == '\'' || Rest.front() == '"')
      Length = literalLength(Rest);
    else {
      ++I;
      continue;
    }
    for (size_t End = I + Length; I != End; ++I)
      if (Code[I] != '\n')
        Code[I] = ' ';
  }
  return Code;
}

/// Offsets of the commas at the top level of \p Code from \p Begin, and of the closing
/// parenthesis, last. Empty when it is never closed.
static std::vector<size_t> splitArguments(llvm::StringRef Code, size_t Begin) {
  std::vector<size_t> Ends;
  unsigned Depth = 0;
  for (size_t I = Begin; I != Code.size(); ++I) {
    char C = Code[I];
    if (C == '(' || C == '[' || C == '{')
      ++Depth;
    else if (Depth == 0 && (C == ',' || C == ')'))
      Ends.push_back(I);
    else if (C == ')' || C == ']' || C == '}')
      --Depth;
    if (Depth == 0 && C == ')' && !Ends.empty() && Ends.back() == I)
      return Ends;
  }
  return {};
}

llvm::Expected<std::vector<ForwardArgument>> cupel::findForward(llvm::StringRef Code,
                                                                const SourceOrigin &Origin) {
  llvm::SmallVector<llvm::StringRef, 3> Matches;
  if (!llvm::Regex("(^|\n)[ \t]*def[ \t]+forward[ \t]*\\(").match(Code, &Matches))
    return makeError("problem-no-forward",
                     "reference.source: no 'def forward(self, ...)' in the reference",
                     Origin.Start);
  size_t Begin = Matches[0].end() - Code.begin();
  std::vector<size_t> Ends = splitArguments(Code, Begin);
  if (Ends.empty())
    return makeError("problem-no-forward",
                     "reference.source: the arguments of forward are never closed by ')'",
                     Origin.placeOf(Code, Begin));
  std::vector<ForwardArgument> Arguments;
  bool First = true;
  for (size_t End : Ends) {
    llvm::StringRef Argument = Code.slice(Begin, End);
    llvm::StringRef Declared = Argument.split('=').first;
    auto [Name, Type] = Declared.split(':');
    size_t NameOffset = Begin + (Argument.size() - Argument.ltrim().size());
    Begin = End + 1;
    if (First && Name.trim() != "self")
      return makeError("problem-no-forward",
                       "reference.source: the first argument of forward is 'self', not '" +
                           Name.trim() + "'",
                       Origin.placeOf(Code, NameOffset));
    if (!First && !Name.trim().empty())
      Arguments.push_back(
          {{Name.trim().str(), Origin.placeOf(Code, NameOffset)}, Type.trim().str()});
    First = false;
  }
  return Arguments;
}

std::vector<SourceName> cupel::findRealDTypes(llvm::StringRef Code, const SourceOrigin &Origin) {
  static constexpr llvm::StringRef Types[] = {"float16", "half",    "bfloat16", "float32",
                                              "float",   "float64", "double"};
  std::vector<SourceName> Names;
  for (size_t Dot = Code.find('.'); Dot != llvm::StringRef::npos; Dot = Code.find('.', Dot + 1)) {
    llvm::StringRef Name = Code.substr(Dot + 1).take_while(isNameCharacter);
    if (!llvm::is_contained(Types, Name))
      continue;
    llvm::StringRef Before = Code.take_front(Dot);
    bool OfTorch = Before.ends_with("torch") &&
                   (Before.size() == 5 || !isNameCharacter(Before[Before.size() - 6]));
    bool IsCall = Code.substr(Dot + 1 + Name.size()).ltrim(" \t").starts_with("(");
    if (OfTorch)
      Names.push_back({"torch." + Name.str(), Origin.placeOf(Code, Dot - 5)});
    else if (IsCall && !Before.ends_with("self"))
      Names.push_back({"." + Name.str() + "()", Origin.placeOf(Code, Dot)});
  }
  return Names;
}

std::vector<SourceName> cupel::findSelfAttributes(llvm::StringRef Code,
                                                  const SourceOrigin &Origin) {
  std::vector<SourceName> Names;
  constexpr llvm::StringLiteral Self = "self.";
  for (size_t I = Code.find(Self); I != llvm::StringRef::npos; I = Code.find(Self, I + 1)) {
    if (I != 0 && (isNameCharacter(Code[I - 1]) || Code[I - 1] == '.'))
      continue;
    llvm::StringRef Rest = Code.substr(I + Self.size());
    llvm::StringRef Name = Rest.take_while(isNameCharacter);
    if (!Name.empty() && !Rest.substr(Name.size()).ltrim().starts_with("("))
      Names.push_back({Name.str(), Origin.placeOf(Code, I)});
  }
  return Names;
}
