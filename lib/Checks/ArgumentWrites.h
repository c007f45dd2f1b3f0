//===- ArgumentWrites.h - whether a bound function writes an argument -------===//
#ifndef CUPEL_LIB_CHECKS_ARGUMENTWRITES_H
#define CUPEL_LIB_CHECKS_ARGUMENTWRITES_H

#include "cupel/Frontend/ParsedSubmission.h"

namespace cupel {

/// Whether every function that \p Submission binds as \p Name is shown to leave the data of its
/// argument \p Position as it is. False for what cannot be followed.
bool leavesArgument(const ParsedSubmission &Submission, llvm::StringRef Name, unsigned Position);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_ARGUMENTWRITES_H
