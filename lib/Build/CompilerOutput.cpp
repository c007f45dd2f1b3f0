//===- CompilerOutput.cpp - reading what nvcc, ptxas, g++ and ld print -------===//
//
// nvcc runs four programs that each have a form of their own:
//   cudafe++, cicc   FILE(LINE): error: TEXT, the source line, a caret, "at line N of FILE"
//   g++, cpp         FILE:LINE:COLUMN: error: TEXT, after "In file included from FILE:LINE"
//   as               FILE:LINE: Error: TEXT
//   ptxas, nvcc      PROGRAM [FILE, line N;] error : TEXT
// and ld, which knows symbols only.
//
//===----------------------------------------------------------------------===//

#include "cupel/Build/CompilerOutput.h"
#include "DeviceImage.h"
#include "PtxPlaces.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace cupel;
using llvm::StringRef;

namespace {

/// A message as printed, before it is placed in the submission.
struct RawMessage {
  StringRef Severity, File, Text;
  unsigned Line = 0, Column = 0;
};

unsigned number(StringRef Digits) {
  unsigned Value = 0;
  return Digits.getAsInteger(10, Value) ? 0 : Value;
}

class OutputReader {
public:
  explicit OutputReader(const OutputReaderOptions &Options)
      : Options(Options),
        Edg("^([^ ].*)\\(([0-9]+)\\): (catastrophic error|internal error|error|warning)"
            "( #[0-9]+(-D)?)?: (.*)$"),
        Gnu("^([^ ].*):([0-9]+):([0-9]+): (fatal error|internal compiler "
            "error|error|warning|sorry, "
            "unimplemented): (.*)$"),
        Assembler("^([^ ].*):([0-9]+): (Error|Warning): (.*)$"),
        Included("^(In file included|                ) from ([^ ]+):([0-9]+)"),
        AtLine("at line ([0-9]+) of ([^ ]+)$"),
        Program("^(nvcc|ptxas|nvlink|cicc|cudafe\\+\\+|fatbinary)( .*; | +)(error|fatal|warning) "
                "*: (.*)$"),
        Linker("(undefined reference to .*|multiple definition of .*|cannot find -?l?.*|relocation "
               ".*)$"),
        Driver("^(g\\+\\+|c\\+\\+|clang\\+\\+|cc1plus|gcc)[^:]*: (fatal error|internal compiler "
               "error|error): (.*)$") {
    Options.Source.split(SourceLines, '\n');
    if (!SourceLines.empty() && SourceLines.back().empty())
      SourceLines.pop_back();
  }

  std::vector<BuildDiagnostic> read(StringRef Output) {
    llvm::SmallVector<StringRef, 64> Lines;
    Output.split(Lines, '\n');
    for (size_t I = 0; I != Lines.size(); ++I)
      readLine(Lines, I);
    return bounded();
  }

private:
  void readLine(llvm::ArrayRef<StringRef> Lines, size_t I) {
    StringRef Line = Lines[I].rtrim('\r');
    llvm::SmallVector<StringRef, 8> M;
    if (Included.match(Line, &M)) {
      if (M[2] == Options.CompiledName)
        IncludedFrom = number(M[3]);
      return;
    }
    if (Edg.match(Line, &M)) {
      add({M[3], M[1], M[6], number(M[2]), edgColumn(Lines, I, M[1], number(M[2]))});
    } else if (Gnu.match(Line, &M)) {
      add({M[4], M[1], M[5], number(M[2]), number(M[3])});
    } else if (Assembler.match(Line, &M)) {
      add({M[3], M[1], M[4], number(M[2]), 0});
    } else if (Program.match(Line, &M)) {
      addUnplaced(M[3], (M[1] + ": " + M[4]).str());
      placeInPtx(M[2]);
    } else if (Driver.match(Line, &M)) {
      addUnplaced("error", (M[1] + ": " + M[3]).str());
    } else if (AtLine.match(Line, &M)) {
      placeLast(M[2], number(M[1]));
    } else if (!Line.starts_with(" ") && Linker.match(Line, &M)) {
      addUnplaced("error", M[1].str());
    }
  }

  /// EDG prints the line, two columns in, and a caret below. Macros are expanded in it, so the
  /// caret tells a column only when the line is the submission's own text.
  unsigned edgColumn(llvm::ArrayRef<StringRef> Lines, size_t I, StringRef File,
                     unsigned Line) const {
    if (File != Options.CompiledName || Line == 0 || Line > SourceLines.size() ||
        I + 2 >= Lines.size())
      return 0;
    StringRef Caret = Lines[I + 2];
    if (!Caret.trim().consume_front("^") ||
        Lines[I + 1].drop_front(2).rtrim() != SourceLines[Line - 1].rtrim())
      return 0;
    return unsigned(Caret.find('^')) - 1;
  }

  static std::string normalSeverity(StringRef Severity) {
    return Severity.lower() == "warning" ? "warning" : "error";
  }

  void add(const RawMessage &Raw) {
    BuildDiagnostic D{normalSeverity(Raw.Severity), {}, printableLine(Raw.Text, 1000)};
    PlaceKnown = Raw.File == Options.CompiledName;
    if (PlaceKnown && Raw.Line <= SourceLines.size()) {
      D.Place = {Options.UserName, Raw.Line, Raw.Column};
    } else if (PlaceKnown) {
      D.Message = "in the adapter that calls the entry: " + D.Message;
    } else {
      D.Message = "in " + llvm::sys::path::filename(Raw.File).str() + ":" +
                  std::to_string(Raw.Line) + ": " + D.Message;
      if (IncludedFrom)
        D.Place = {Options.UserName, IncludedFrom, 0};
    }
    IncludedFrom = 0;
    Found.push_back(std::move(D));
  }

  void addUnplaced(StringRef Severity, std::string Text) {
    // ptxas and ld know kernels and functions by their mangled names.
    BuildDiagnostic D{normalSeverity(Severity), {}, printableLine(demangled(Text), 1000)};
    if (const SourceSymbol *Symbol = symbolIn(Text)) {
      D.Place = {Options.UserName, Symbol->Place.Line, Symbol->Place.Column};
      // Whichever tool says it: ptxas of the GPU's functions, ld of all where they are emulated.
      if (Symbol->IsOwn && !Symbol->IsDefined && !undefinedSymbols(Text).empty())
        D.Message = "undefined reference to `" + llvm::demangle(Symbol->Mangled) +
                    "': the submission declares it and defines it nowhere";
    }
    Found.push_back(std::move(D));
    PlaceKnown = true;
    IncludedFrom = 0;
  }

  /// The symbol that a message has between quotes.
  const SourceSymbol *symbolIn(StringRef Text) const {
    size_t Begin = Text.find_first_of("`'");
    if (Begin == StringRef::npos || !Options.Symbols)
      return nullptr;
    return findSymbol(Options.Symbols(),
                      Text.substr(Begin + 1).take_until([](char C) { return C == '\''; }));
  }

  /// `FILE.ptx, line N;`: what the last message is about.
  void placeInPtx(StringRef Where) {
    auto [File, Line] = Where.trim(" ;").split(", line ");
    if (!File.ends_with(".ptx") || Options.Folder.empty() || Found.back().Place.Line)
      return;
    llvm::Expected<std::string> Ptx =
        readFile(Options.Folder + "/" + llvm::sys::path::filename(File).str());
    if (!Ptx)
      return llvm::consumeError(Ptx.takeError());
    if (auto Place = cupel::placeInPtx(*Ptx, number(Line), Options.CompiledName))
      Found.back().Place = {Options.UserName, Place->Line, Place->Column};
  }

  static std::string demangled(StringRef Text) {
    std::string Result;
    while (!Text.empty()) {
      size_t Start = Text.find("_Z");
      Result += Text.substr(0, Start);
      if (Start == StringRef::npos)
        break;
      Text = Text.drop_front(Start);
      size_t End = std::min(
          Text.find_if_not([](char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; }),
          Text.size());
      Result += llvm::demangle(Text.take_front(End));
      Text = Text.drop_front(End);
    }
    return Result;
  }

  /// The instantiation that leads to a message about a header: the innermost line of the
  /// submission.
  void placeLast(StringRef File, unsigned Line) {
    if (PlaceKnown || Found.empty() || File != Options.CompiledName || Line > SourceLines.size())
      return;
    Found.back().Place = {Options.UserName, Line, 0};
    PlaceKnown = true;
  }

  /// ptxas ends with a line that says only that there were errors, which have places.
  void dropSummary() {
    if (llvm::any_of(Found, [](const BuildDiagnostic &D) {
          return D.Severity == "error" && D.Place.Line != 0;
        }))
      llvm::erase_if(Found, [](const BuildDiagnostic &D) {
        return StringRef(D.Message).contains("Ptx assembly aborted due to errors");
      });
  }

  /// The host and the device pass tell most things twice.
  std::vector<BuildDiagnostic> bounded() {
    dropSummary();
    std::vector<BuildDiagnostic> Unique;
    for (BuildDiagnostic &D : Found)
      if (llvm::none_of(Unique, [&](const BuildDiagnostic &U) {
            return U.Message == D.Message && U.Place.Line == D.Place.Line &&
                   U.Severity == D.Severity;
          }))
        Unique.push_back(std::move(D));
    if (Unique.size() <= Options.MaxDiagnostics)
      return Unique;
    llvm::stable_sort(Unique, [](const BuildDiagnostic &A, const BuildDiagnostic &B) {
      return A.Severity == "error" && B.Severity != "error";
    });
    size_t More = Unique.size() - Options.MaxDiagnostics;
    Unique.resize(Options.MaxDiagnostics);
    Unique.push_back({"note", {}, std::to_string(More) + " more messages are not shown"});
    return Unique;
  }

  const OutputReaderOptions &Options;
  llvm::Regex Edg, Gnu, Assembler, Included, AtLine, Program, Linker, Driver;
  llvm::SmallVector<StringRef, 256> SourceLines;
  std::vector<BuildDiagnostic> Found;
  unsigned IncludedFrom = 0;
  bool PlaceKnown = true;
};

} // namespace

std::vector<BuildDiagnostic> cupel::readCompilerOutput(StringRef Output,
                                                       const OutputReaderOptions &Options) {
  return OutputReader(Options).read(Output);
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

const SourceSymbol *cupel::findSymbol(llvm::ArrayRef<SourceSymbol> Symbols, StringRef Mangled) {
  for (const SourceSymbol &Symbol : Symbols)
    if (Symbol.Mangled == Mangled)
      return &Symbol;
  if (!Mangled.starts_with("_Z"))
    return nullptr;
  const std::string Plain = plainName(Mangled);
  for (const SourceSymbol &Symbol : Symbols)
    if (plainName(Symbol.Mangled) == Plain)
      return &Symbol;
  return nullptr;
}

std::vector<std::string> cupel::undefinedSymbols(StringRef Output) {
  std::vector<std::string> Names;
  for (StringRef Before :
       {"undefined reference to `", "Unresolved extern function '", "Unresolved extern variable '"})
    for (size_t At = 0; (At = Output.find(Before, At)) != StringRef::npos; ++At)
      Names.push_back(Output.substr(At + Before.size()).split('\'').first.str());
  return Names;
}

bool cupel::isPtxasError(StringRef Output) {
  return Output.contains("ptxas error") || Output.contains("ptxas fatal");
}

//===----------------------------------------------------------------------===//
// ptxas -v
//===----------------------------------------------------------------------===//

/// The number in front of \p Unit in a list such as `Used 32 registers, 400 bytes smem`.
static unsigned figure(StringRef Line, StringRef Unit) {
  size_t At = Line.find(Unit);
  if (At == StringRef::npos)
    return 0;
  StringRef Before = Line.take_front(At).rtrim();
  return number(Before.substr(Before.find_last_not_of("0123456789") + 1));
}

/// Constant memory is told by bank: `360 bytes cmem[0], 8 bytes cmem[2]`.
static unsigned constantBytes(StringRef Line) {
  unsigned Sum = 0;
  for (size_t At = Line.find(" bytes cmem["); At != StringRef::npos;
       At = Line.find(" bytes cmem[")) {
    Sum += figure(Line, " bytes cmem[");
    Line = Line.drop_front(At + 12);
  }
  return Sum;
}

std::vector<KernelResources> cupel::readPtxasFigures(StringRef Output) {
  std::vector<KernelResources> Kernels;
  llvm::Regex Entry("Compiling entry function '([^']+)' for '([^']+)'");
  llvm::Regex Properties("Function properties for (.+)$");
  bool OfKernel = false;
  llvm::SmallVector<StringRef, 64> Lines;
  Output.split(Lines, '\n');
  for (StringRef Line : Lines) {
    Line = Line.rtrim();
    llvm::SmallVector<StringRef, 4> M;
    if (Entry.match(Line, &M)) {
      KernelResources &K = Kernels.emplace_back();
      K.MangledName = M[1].str();
      K.Name = llvm::demangle(M[1]);
      K.Architecture = M[2].str();
    } else if (Properties.match(Line, &M)) {
      // Device functions that are not inlined have properties too.
      OfKernel = !Kernels.empty() && M[1] == Kernels.back().MangledName;
    } else if (OfKernel && Line.contains("bytes stack frame")) {
      Kernels.back().StackBytes = figure(Line, " bytes stack frame");
      Kernels.back().SpillStoreBytes = figure(Line, " bytes spill stores");
      Kernels.back().SpillLoadBytes = figure(Line, " bytes spill loads");
    } else if (!Kernels.empty() && Line.contains(": Used ")) {
      Kernels.back().Registers = figure(Line, " registers");
      Kernels.back().SharedBytes = figure(Line, " bytes smem");
      Kernels.back().ConstantBytes = constantBytes(Line);
    }
  }
  return Kernels;
}
