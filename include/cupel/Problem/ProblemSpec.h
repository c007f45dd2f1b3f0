//===- ProblemSpec.h - a reference computation with inputs and cases --------===//
//
// The plain data that a problem file describes (design section 4). ProblemReader.h makes it from
// TOML; the worker gets it as JSON.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_PROBLEM_PROBLEMSPEC_H
#define CUPEL_PROBLEM_PROBLEMSPEC_H

#include "cupel/Problem/ShapeExpr.h"
#include "cupel/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// How the values of a tensor are drawn (InitKinds.h). \c Arguments holds the keys of the kind, for
/// example `low` and `high` of `uniform`, with defaults filled in; the transforms are applied in
/// order to what was drawn.
struct InitSpec {
  std::string Kind;
  std::map<std::string, double> Arguments;
  std::vector<std::string> Transforms;
};

/// An input, or with \c IsParameter a weight that the reference reads as an attribute of self.
struct TensorSpec {
  std::string Name;
  std::string DType; ///< As torch spells it: `float32`, `int64`, `bool`.
  std::vector<ShapeExpr> Shape;
  InitSpec Init;
  bool IsParameter = false;
  SourcePlace Place;
};

/// A number argument: an input that is no tensor.
struct ScalarSpec {
  std::string Name;
  enum class Kind { Float, Int, Bool } Type = Kind::Float;
  double Value = 0;  ///< Of a float, finite; of a bool 0 or 1.
  int64_t Whole = 0; ///< Of an int: a double does not hold all of them.
  SourcePlace Place;
};

/// One argument of the reference's forward, in order: a tensor or a number.
struct InputSpec {
  std::optional<TensorSpec> Tensor;
  std::optional<ScalarSpec> Scalar;
  llvm::StringRef name() const { return Tensor ? Tensor->Name : Scalar->Name; }
};

/// One set of sizes.
struct CaseSpec {
  std::string Name;
  bool IsCheck = false;
  bool IsBenchmark = false;
  std::map<std::string, int64_t> Sizes;
  /// Replaces the init of the inputs and parameters that it names.
  std::map<std::string, InitSpec> Init;
  SourcePlace Place;
};

/// Limits for the error of an output; what is absent comes from the defaults of the dtype
/// (docs/correctness.md).
struct ToleranceSpec {
  std::optional<double> Relative; ///< To the magnitude of the reference's values.
  std::optional<double> Absolute;
};

/// What a submission may leave to others (design section 6).
struct PolicySpec {
  std::string Preset = "strict"; ///< `strict` or `partial`.
  std::vector<std::string> Libraries;
  std::vector<std::string> Operators;
  std::vector<std::string> Suppressed; ///< Check ids or globs that this problem switches off.
};

/// A problem as read from its file, complete and valid.
struct ProblemSpec {
  std::string Id; ///< `level1/relu`, or the path for a file outside the problem folder.
  std::string File;
  std::string Name;
  int Level = 0;
  std::optional<int> KernelBenchId; ///< Row in KernelBench's level, for ours.
  std::vector<std::string> Tags;
  std::string ReferenceLanguage = "torchscript"; ///< `torchscript` or `python`.
  std::string ReferenceSource;
  SourcePlace ReferencePlace; ///< First line of the source text.
  std::vector<InputSpec> Inputs;
  std::vector<TensorSpec> Parameters;
  std::vector<CaseSpec> Cases;
  std::string EntryName;                   ///< Empty: what the submission binds, or `forward`.
  std::vector<std::string> EntryArguments; ///< Names in the order of the entry; never empty.
  ToleranceSpec Tolerance;
  PolicySpec Policy;
  std::optional<ShapeExpr> Flops, Bytes; ///< Expressions of the sizes, for the roofline.

  const CaseSpec *findCase(llvm::StringRef Name) const;
  /// The case that is timed: the first with the role `benchmark`, or null.
  const CaseSpec *benchmarkCase() const;
};

/// The shape of \p Tensor in \p Case. Both belong to one valid problem.
std::vector<int64_t> shapeOf(const TensorSpec &Tensor, const CaseSpec &Case);

/// The init of \p Tensor in \p Case: the case's own, else the tensor's.
const InitSpec &initOf(const TensorSpec &Tensor, const CaseSpec &Case);

/// Bytes of all inputs and parameters of \p Case together. A valid problem stays below 2^40.
uint64_t tensorBytes(const ProblemSpec &Problem, const CaseSpec &Case);

/// The whole problem as JSON; the shapes stay expressions.
llvm::json::Value toJson(const ProblemSpec &Problem);

/// The problem with the shapes of \p Case worked out, as the worker takes it (docs/protocol.md).
llvm::json::Value toJson(const ProblemSpec &Problem, const CaseSpec &Case);

} // namespace cupel

#endif // CUPEL_PROBLEM_PROBLEMSPEC_H
