//===- CompilerOutput.h - reading what nvcc, ptxas, g++ and ld print ---------===//
#ifndef CUPEL_BUILD_COMPILEROUTPUT_H
#define CUPEL_BUILD_COMPILEROUTPUT_H

#include "cupel/Build/BuildRecord.h"

namespace cupel {

struct OutputReaderOptions {
  std::string CompiledName; ///< The source as the compiler was given it: `submission.cu`.
  std::string UserName;     ///< What the records call it.
  llvm::StringRef Source;   ///< The submission; what lies behind its last line is the adapter's.
  unsigned MaxDiagnostics = 50;
};

/// Errors, warnings and notes in the order printed, errors kept first when there are more than
/// MaxDiagnostics; one note then says how many were left out. A message about a header has the
/// place of the submission's line that leads there, when the compiler tells it.
std::vector<BuildDiagnostic> readCompilerOutput(llvm::StringRef Output,
                                                const OutputReaderOptions &Options);

/// The figures of `ptxas -v`, one record for each kernel and architecture.
std::vector<KernelResources> readPtxasFigures(llvm::StringRef Output);

} // namespace cupel

#endif // CUPEL_BUILD_COMPILEROUTPUT_H
