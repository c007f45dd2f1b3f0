//===- ErrorFigures.h - how far outputs are from what is expected -----------===//
#ifndef CUPEL_RUNNER_ERRORFIGURES_H
#define CUPEL_RUNNER_ERRORFIGURES_H

#include <cstdint>
#include <optional>
#include <vector>

namespace cupel {

/// What the judge's comparison says of the elements of one call's outputs; docs/correctness.md.
struct ErrorFigures {
  std::optional<double> MaxError, AllowedError; ///< At the worst element.
  std::vector<int64_t> FirstMismatch;           ///< Index; empty when there is none.
  std::optional<double> Expected, Actual;       ///< At FirstMismatch.
  std::vector<int64_t> WorstIndex;              ///< Of the worst element; empty when all are equal.
  std::optional<double> WorstExpected, WorstActual;
  /// Elements by their error as a multiple of what is allowed: 0, up to 0.001, 0.01, 0.1, 0.5, 1,
  /// 2, 10, 100, and above or not finite. Empty where no values were compared.
  std::vector<int64_t> ErrorHistogram;
};

/// Calls \p Visit(key of records and replies, field) for each figure.
template <typename Figures, typename Visitor> void eachFigure(Figures &F, Visitor Visit) {
  Visit("max_error", F.MaxError);
  Visit("allowed_error", F.AllowedError);
  Visit("first_mismatch", F.FirstMismatch);
  Visit("expected", F.Expected);
  Visit("actual", F.Actual);
  Visit("worst_index", F.WorstIndex);
  Visit("worst_expected", F.WorstExpected);
  Visit("worst_actual", F.WorstActual);
  Visit("error_histogram", F.ErrorHistogram);
}

} // namespace cupel

#endif // CUPEL_RUNNER_ERRORFIGURES_H
