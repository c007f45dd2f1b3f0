//===- CompilerOutput.h - reading what nvcc, ptxas, g++ and ld print ---------===//
#ifndef CUPEL_BUILD_COMPILEROUTPUT_H
#define CUPEL_BUILD_COMPILEROUTPUT_H

#include "cupel/Build/BuildRecord.h"
#include "cupel/Frontend/SourceSymbols.h"
#include <functional>

namespace cupel {

struct OutputReaderOptions {
  std::string CompiledName; ///< The source as the compiler was given it: `submission.cu`.
  std::string UserName;     ///< What the records call it.
  llvm::StringRef Source;   ///< The submission; what lies behind its last line is the adapter's.
  unsigned MaxDiagnostics = 50;
  std::string
      Folder; ///< Where compilers left what they made: PTX tells the lines of ptxas's errors.
  /// Asked when a message names a symbol.
  std::function<llvm::ArrayRef<SourceSymbol>()> Symbols;
};

/// Errors, warnings and notes in the order printed, errors kept first when there are more than
/// MaxDiagnostics; one note then says how many were left out. A message about a header has the
/// place of the submission's line that leads there, when the compiler tells it.
std::vector<BuildDiagnostic> readCompilerOutput(llvm::StringRef Output,
                                                const OutputReaderOptions &Options);

/// The symbol of \p Symbols that a tool calls \p Mangled; nvcc's names of internal linkage are
/// found by what they stand for. Null when there is none.
const SourceSymbol *findSymbol(llvm::ArrayRef<SourceSymbol> Symbols, llvm::StringRef Mangled);

/// Mangled names of what ld or ptxas found nowhere.
std::vector<std::string> undefinedSymbols(llvm::StringRef Output);

/// Whether ptxas refused the code: all headers were found by then.
bool isPtxasError(llvm::StringRef Output);

/// The figures of `ptxas -v`, one record for each kernel and architecture.
std::vector<KernelResources> readPtxasFigures(llvm::StringRef Output);

} // namespace cupel

#endif // CUPEL_BUILD_COMPILEROUTPUT_H
