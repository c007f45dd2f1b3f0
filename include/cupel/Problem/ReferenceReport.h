//===- ReferenceReport.h - what a run of a problem's reference shows --------===//
#ifndef CUPEL_PROBLEM_REFERENCEREPORT_H
#define CUPEL_PROBLEM_REFERENCEREPORT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// Outputs that are wrong on purpose, against the tolerance.
struct MutationResult {
  std::string Name; ///< As docs/protocol.md lists them: `zeros`, `half`, ...
  bool Refused = false;
  std::string Reason; ///< What refused it, or why nothing did.
};

/// What the judge says of one case of a problem (docs/protocol.md, `check_reference`).
struct ReferenceReport {
  std::vector<std::vector<int64_t>> Shapes; ///< One an output.
  std::vector<std::string> DTypes;
  bool Finite = false;
  bool RepeatEqual = false;              ///< Two runs agree bit by bit.
  std::vector<std::string> Depends;      ///< Inputs and parameters whose values matter.
  std::vector<std::string> Independent;  ///< The other ones.
  std::optional<double> MaxError;        ///< Of the problem's dtype against fp64.
  std::optional<double> AllowedError;    ///< By the tolerance, at the same element.
  std::string ReferencePrecision;        ///< `float64`, or the dtype when fp64 was not possible.
  std::string ReferencePrecisionReason;  ///< Why not fp64.
  std::vector<MutationResult> Mutations; ///< Those that mean something for this case.
};

} // namespace cupel

#endif // CUPEL_PROBLEM_REFERENCEREPORT_H
