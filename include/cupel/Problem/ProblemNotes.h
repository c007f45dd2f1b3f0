//===- ProblemNotes.h - what a problem says of itself -----------------------===//
#ifndef CUPEL_PROBLEM_PROBLEMNOTES_H
#define CUPEL_PROBLEM_PROBLEMNOTES_H

#include <string>
#include <vector>

namespace cupel {

/// What a problem's file tells those who judge the problem itself. No submission is judged by it,
/// so it is no part of ProblemSpec.
struct ProblemNotes {
  /// Inputs and parameters whose values change no output by more than is allowed.
  std::vector<std::string> WithoutEffect;
};

} // namespace cupel

#endif // CUPEL_PROBLEM_PROBLEMNOTES_H
