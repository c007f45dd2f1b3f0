//===- ReferenceReport.h - what a run of a problem's reference shows --------===//
#ifndef CUPEL_PROBLEM_REFERENCEREPORT_H
#define CUPEL_PROBLEM_REFERENCEREPORT_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// What became of an output that is wrong on purpose.
enum class MutationState {
  Refused,
  Accepted,      ///< By the tolerance.
  Equal,         ///< It is what the reference gives.
  NotApplicable, ///< It means nothing for this output.
};

/// One output that is wrong on purpose, against the tolerance.
struct MutationResult {
  std::string Name; ///< As docs/problems.md lists them: `zeros`, `half`, ...
  size_t Output = 0;
  MutationState State = MutationState::Refused;
  std::string Reason; ///< What refused it, or why nothing did.

  bool survives() const {
    return State == MutationState::Accepted || State == MutationState::Equal;
  }
};

/// What the judge says of one case of a problem (docs/protocol.md, `check_reference`).
struct ReferenceReport {
  std::vector<std::vector<int64_t>> Shapes; ///< One an output.
  std::vector<std::string> DTypes;
  std::vector<int64_t> NotFinite;         ///< Elements of each output that are NaN or infinite.
  bool RepeatEqual = false;               ///< Two runs agree bit by bit.
  std::vector<std::string> InputsChanged; ///< Inputs and parameters that the reference writes to.
  std::vector<std::string> Depends;       ///< Inputs and parameters whose values matter.
  std::vector<std::string> Negligible;    ///< Those that stay within what is allowed.
  std::vector<std::string> Independent;   ///< Those that change no bit.
  std::vector<size_t> FixedOutputs;       ///< Outputs that nothing changes.
  std::vector<std::string> NamedDTypes;   ///< Operators that leave fp64, `aten::to gives float16`.
  std::optional<double> MaxError;         ///< Of the problem's dtype against fp64.
  std::optional<double> AllowedError;     ///< By the tolerance, at the same element.
  bool WithinTolerance = true;            ///< The reference's own outputs would be accepted.
  std::string ReferencePrecision;         ///< `float64`, or the dtype when fp64 was not possible.
  std::string ReferencePrecisionReason;   ///< Why not fp64.
  std::vector<MutationResult> Mutations;
};

/// What tensors hold at most while a reference runs, worked out without running it.
struct MemoryEstimate {
  std::optional<int64_t> PeakBytes; ///< Inputs and parameters included.
  std::string Reason;               ///< Why there is none.
};

} // namespace cupel

#endif // CUPEL_PROBLEM_REFERENCEREPORT_H
