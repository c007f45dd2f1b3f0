//===- JsonReport.h - the record of `cupel eval` as JSON --------------------===//
//
// docs/records.md describes the fields, docs/schema/eval.schema.json is their schema.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_REPORT_JSONREPORT_H
#define CUPEL_REPORT_JSONREPORT_H

#include "cupel/Report/EvalRecord.h"
#include "llvm/Support/raw_ostream.h"

namespace cupel {

/// Writes \p Record, fields in the order of design section 11.
void writeJson(const EvalRecord &Record, llvm::raw_ostream &OS);

} // namespace cupel

#endif // CUPEL_REPORT_JSONREPORT_H
