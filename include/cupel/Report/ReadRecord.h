//===- ReadRecord.h - the record of `cupel eval` back from JSON -------------===//
#ifndef CUPEL_REPORT_READRECORD_H
#define CUPEL_REPORT_READRECORD_H

#include "cupel/Report/EvalRecord.h"

namespace cupel {

/// A record holds the raw samples of a run: megabytes, not gigabytes.
inline constexpr uint64_t MaxRecordBytes = uint64_t(256) << 20;

/// Reads what writeJson() wrote, to go on from it: the phases that ran, of which a finished record
/// keeps no raw run. \p File is the name for messages. The verdict is not read: it is worked out
/// anew. Errors: `record-syntax`, `record-invalid`.
llvm::Expected<EvalRecord> readEvalRecord(llvm::StringRef Text, llvm::StringRef File);

/// Reads all that the record says, verdict included, to show it again. Same errors.
llvm::Expected<EvalRecord> readFinishedRecord(llvm::StringRef Text, llvm::StringRef File);

} // namespace cupel

#endif // CUPEL_REPORT_READRECORD_H
