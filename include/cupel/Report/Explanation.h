//===- Explanation.h - what a record means -----------------------------------===//
#ifndef CUPEL_REPORT_EXPLANATION_H
#define CUPEL_REPORT_EXPLANATION_H

#include "cupel/Report/EvalRecord.h"
#include "llvm/Support/raw_ostream.h"

namespace cupel {

/// Writes below the text report what its reasons mean and what to look at, by the tables of
/// docs/verdicts.md, docs/emulation.md and the checks' pages; what each speed-up's interval says;
/// and what bounds each kernel.
void writeExplanation(const EvalRecord &Record, llvm::raw_ostream &OS);

} // namespace cupel

#endif // CUPEL_REPORT_EXPLANATION_H
