//===- Compare.h - whether an output is right -------------------------------===//
//
// The rule is in docs/correctness.md: an element's error against the reference in fp64 may be a
// small multiple of what the reference itself gets wrong in the problem's dtype, or a small part of
// the values' own magnitude, whichever is more.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_COMPARE_H
#define CUPEL_WORKER_COMPARE_H

#include "Protocol.h"
#include <ATen/core/Tensor.h>
#include <array>

namespace cupel::worker {

/// What a problem sets itself; what is absent comes from the dtype.
struct Tolerance {
  std::optional<double> Relative, Absolute;
};

/// The numbers of docs/correctness.md for one dtype.
struct DTypeTolerance {
  double Relative; ///< r: part of (|y| + S) that is always allowed.
  double Factor;   ///< C: multiple of the reference's own error that is allowed.
  double
      Ceiling; ///< No error beyond this part of (|y| + S) is allowed, whatever the reference's is.
};
DTypeTolerance toleranceOf(c10::ScalarType Type);

/// One output of the reference with what the rule needs to know about it.
struct Expected {
  at::Tensor Own;        ///< In the reference's dtype, contiguous.
  at::Tensor Exact;      ///< From fp64 inputs; \c Own where that could not be computed.
  bool Constant = false; ///< All elements are equal (or there is only one).
  bool Finite = true;
  double Scale = 0;    ///< S: typical distance from the median, 0 for integers.
  double OwnError = 0; ///< Largest |own - exact| / (|exact| + S).
};
Expected makeExpected(const at::Tensor &Own, const at::Tensor &Exact);

/// Upper bounds of an element's error as a multiple of what is allowed for it; a last bin takes
/// what is above, and what is not finite.
inline constexpr double HistogramBounds[] = {0, 1e-3, 1e-2, 0.1, 0.5, 1, 2, 10, 100};

struct Comparison {
  bool Passed = true;
  double MaxError = 0, AllowedError = 0; ///< Of the worst element.
  std::vector<int64_t> FirstMismatch;
  double ExpectedValue = 0, ActualValue = 0; ///< At FirstMismatch.
  std::vector<int64_t> WorstIndex; ///< Of the element with the greatest multiple; empty: all are 0.
  double WorstExpected = 0, WorstActual = 0;
  /// Elements in each bin of HistogramBounds.
  std::array<int64_t, std::size(HistogramBounds) + 1> Histogram{};
  int64_t Mismatches = 0, Elements = 0;
  std::vector<std::pair<std::string, std::string>> Reasons; ///< Code and text.
};

/// Compares \p Actual, of the shape and dtype of \p Expected, on the same device. Works in pieces,
/// so that it needs little memory beside the tensors.
Comparison compareValues(const Expected &Expected, const at::Tensor &Actual,
                         const Tolerance &Tolerance);

/// The fields of `compare`'s reply.
Json toJson(const Comparison &Result);

} // namespace cupel::worker

#endif // CUPEL_WORKER_COMPARE_H
