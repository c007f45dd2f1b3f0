//===- ScriptError.h - what TorchScript says of a reference -----------------===//
#ifndef CUPEL_WORKER_SCRIPTERROR_H
#define CUPEL_WORKER_SCRIPTERROR_H

#include <string>

namespace cupel::worker {

/// A message of TorchScript's compiler or interpreter, taken apart.
struct ScriptError {
  std::string Text;         ///< Without the source lines that torch quotes; may have several lines.
  int Line = 0, Column = 0; ///< In the source, from 1; 0: not told.
};

ScriptError readScriptError(const std::string &What);

} // namespace cupel::worker

#endif // CUPEL_WORKER_SCRIPTERROR_H
