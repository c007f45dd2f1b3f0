//===- ChosenEntry.h - the entry that is judged -----------------------------===//
#ifndef CUPEL_LIB_CHECKS_CHOSENENTRY_H
#define CUPEL_LIB_CHECKS_CHOSENENTRY_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "cupel/Problem/ProblemSpec.h"
#include <optional>

namespace cupel {

/// Index into Submission.Entries: the function that answers \p Problem; without a problem (null)
/// the only one that is bound, else the one bound as `forward`. Why there is none is for the
/// module `entry` to say.
std::optional<size_t> chosenEntry(const ParsedSubmission &Submission, const ProblemSpec *Problem);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_CHOSENENTRY_H
