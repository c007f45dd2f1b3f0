//===- TextReport.h - the record of `cupel eval` for a terminal -------------===//
#ifndef CUPEL_REPORT_TEXTREPORT_H
#define CUPEL_REPORT_TEXTREPORT_H

#include "cupel/Report/EvalRecord.h"
#include "llvm/Support/raw_ostream.h"

namespace cupel {

/// Writes \p Record on about one screen. Coloured when \p OS has colours enabled.
void writeText(const EvalRecord &Record, llvm::raw_ostream &OS);

/// The name of a kernel without result and arguments, at most \p Width characters:
/// `void f<float>(float*, int)` becomes `f<float>`.
std::string shortKernelName(llvm::StringRef Demangled, size_t Width);

} // namespace cupel

#endif // CUPEL_REPORT_TEXTREPORT_H
