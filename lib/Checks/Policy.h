//===- Policy.h - from reports to the findings of a record ------------------===//
#ifndef CUPEL_LIB_CHECKS_POLICY_H
#define CUPEL_LIB_CHECKS_POLICY_H

#include "cupel/Checks/CheckContext.h"
#include "cupel/Checks/CheckEngine.h"

namespace cupel {

/// The policy's word on one report: what it allows is a note, what it only tolerates a warning.
void applyPolicy(const LintPolicy &Policy, Report &R);

/// Sorts by place and drops what repeats an earlier one: the same id at the same place. Of two
/// levels the stronger stays, as when an instance of a template is reached and another is not.
void sortAndUnify(std::vector<Finding> &Findings);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_POLICY_H
