//===- IsolationRecord.h - the layers of isolation in the record ------------===//
#ifndef CUPEL_RUNNER_ISOLATIONRECORD_H
#define CUPEL_RUNNER_ISOLATIONRECORD_H

#include "cupel/Support/Isolation.h"
#include "llvm/Support/JSON.h"

namespace cupel {

/// [{`layer`, `state`: `on`, `off` or `not_available`, `reason`}], or null for an empty report.
llvm::json::Value toJson(const IsolationReport &Report);

/// Reads the field \p Key of \p Object; absent or null leaves \p Out empty.
bool readIsolation(const llvm::json::Object &Object, llvm::StringRef Key, IsolationReport &Out,
                   llvm::json::Path P);

/// A layer of \p Sum that does not hold in \p Next does not hold in the sum.
void keepWeakest(IsolationReport &Sum, const IsolationReport &Next);

} // namespace cupel

#endif // CUPEL_RUNNER_ISOLATIONRECORD_H
