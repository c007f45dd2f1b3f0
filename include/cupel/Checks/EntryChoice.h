//===- EntryChoice.h - which bound function answers the problem -------------===//
#ifndef CUPEL_CHECKS_ENTRYCHOICE_H
#define CUPEL_CHECKS_ENTRYCHOICE_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "cupel/Problem/ProblemSpec.h"
#include <optional>

namespace cupel {

/// Whether \p Entry can be called with the arguments of \p Problem: as many, of kinds that a value
/// of the problem converts to; more arguments must have defaults.
bool fitsProblem(const EntrySignature &Entry, const ProblemSpec &Problem);

/// Index into ParsedSubmission::Entries of the entry: the one that the problem names, else the only
/// one that fits it, else the only one at all, else the one bound as `forward`. Nothing when that
/// leaves none or several.
std::optional<size_t> chooseEntry(const std::vector<EntrySignature> &Entries,
                                  const ProblemSpec *Problem);

} // namespace cupel

#endif // CUPEL_CHECKS_ENTRYCHOICE_H
