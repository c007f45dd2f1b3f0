//===- SelectEntry.h - which bound function answers the problem -------------===//
#ifndef CUPEL_FRONTEND_SELECTENTRY_H
#define CUPEL_FRONTEND_SELECTENTRY_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "cupel/Problem/ProblemSpec.h"

namespace cupel {

/// What keeps \p Entry from being called with the arguments of \p Problem; nothing when it fits.
/// The codes, each at the entry's place: `entry-count`, `entry-type` (one for each argument),
/// `entry-order` (the names say that the arguments come in another order) and `entry-result`.
std::vector<CupelError> compareEntry(const EntrySignature &Entry, const ProblemSpec &Problem);

/// Index into Submission.Entries of the function that answers \p Problem: the one that the problem
/// names, else the one bound as `forward`, else the only one that fits. The error is a list of
/// CupelErrors: `entry-missing` (with what there is instead), `entry-ambiguous` (several fit and
/// none is called as the problem says), or what compareEntry says of the one that was meant.
llvm::Expected<size_t> selectEntry(const ParsedSubmission &Submission, const ProblemSpec &Problem);

} // namespace cupel

#endif // CUPEL_FRONTEND_SELECTENTRY_H
