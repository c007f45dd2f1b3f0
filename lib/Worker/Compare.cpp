//===- Compare.cpp - whether an output is right -----------------------------===//

#include "Compare.h"
#include "Case.h"
#include "Inputs.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/kthvalue.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <cmath>
#include <limits>

using namespace cupel::worker;
using c10::ScalarType;

/// Elements that are compared at once. The three fp64 temporaries of the usual case then fit into
/// the L2 cache of a large GPU; shorter pieces take longer to launch than to compute.
static constexpr int64_t Piece = int64_t(1) << 21;
static constexpr double Infinity = std::numeric_limits<double>::infinity();

DTypeTolerance cupel::worker::toleranceOf(ScalarType Type) {
  switch (Type) {
  case ScalarType::Double:
    return {1e-9, 16, 1e-6};
  case ScalarType::Half:
    return {2e-3, 4, 0.1};
  case ScalarType::BFloat16:
    return {1.5e-2, 4, 0.1};
  default:
    return {3e-5, 16, 1e-2};
  }
}

//===----------------------------------------------------------------------===//
// What is expected
//===----------------------------------------------------------------------===//

static at::Tensor flat(const at::Tensor &Tensor) { return Tensor.contiguous().view(-1); }

static at::Tensor toDouble(const at::Tensor &Tensor, int64_t Begin, int64_t End) {
  return Tensor.slice(0, Begin, End).to(ScalarType::Double);
}

/// Calls \p Do with begin and end of each piece of \p Count elements.
template <typename F> static void forPieces(int64_t Count, F Do) {
  for (int64_t Begin = 0; Begin < Count; Begin += Piece)
    Do(Begin, std::min(Begin + Piece, Count));
}

/// The greatest magnitude; NaN where there is one.
static double greatest(const at::Tensor &Values) {
  return at::linalg_vector_norm(Values, Infinity).item<double>();
}

static bool isConstant(const at::Tensor &Flat) {
  if (Flat.numel() == 0)
    return true;
  // Bit by bit, so that all-NaN is constant too.
  at::Tensor Bits = asBits(Flat);
  bool Same = true;
  forPieces(Bits.numel(), [&](int64_t Begin, int64_t End) {
    Same = Same && Bits.slice(0, Begin, End).eq(Bits[0]).all().item<bool>();
  });
  return Same;
}

/// S of docs/correctness.md: the upper quartile of the distances from the median, over the elements
/// that are not equal to it, of up to a million elements spread evenly. A standard deviation would
/// do for normal values, but a few huge ones, as exp() makes them, would hide errors in all the
/// others. Their median would do too, but where just less than half of the values are the zeros of
/// a ReLU the median lies next to them and half of the distances are next to nothing.
static double typicalScale(const at::Tensor &Exact) {
  constexpr int64_t Most = int64_t(1) << 20;
  at::Tensor Sample = Exact;
  if (int64_t Count = Exact.numel(); Count > Most) {
    // A stride that is no multiple of any row length, lest one column stand for all.
    at::Tensor Index = at::arange(Most, Exact.options().dtype(ScalarType::Long))
                           .mul_((Count / Most) | 1)
                           .remainder_(Count);
    Sample = Exact.index_select(0, Index);
  }
  Sample = Sample.to(ScalarType::Double);
  Sample = Sample.masked_select(at::isfinite(Sample));
  if (Sample.numel() == 0)
    return 0;
  at::Tensor Distance = (Sample - Sample.median()).abs_();
  Distance = Distance.masked_select(Distance.gt(0));
  if (Distance.numel() == 0)
    return 0;
  // Of normal values the upper quartile is 1.7 times the median distance, which this is then.
  constexpr double OfNormal = 0.67449 / 1.15035;
  int64_t Rank = Distance.numel() - Distance.numel() / 4;
  return OfNormal * std::get<0>(Distance.kthvalue(Rank)).item<double>();
}

Expected cupel::worker::makeExpected(const at::Tensor &Own, const at::Tensor &Exact) {
  Expected Result;
  Result.Own = Own.contiguous();
  Result.Exact = Exact.contiguous();
  at::Tensor FlatOwn = flat(Result.Own), FlatExact = flat(Result.Exact);
  Result.Constant = isConstant(FlatOwn);
  if (!isReal(Own.scalar_type()))
    return Result;
  Result.Scale = typicalScale(FlatExact);
  forPieces(FlatOwn.numel(), [&](int64_t Begin, int64_t End) {
    at::Tensor O = FlatOwn.slice(0, Begin, End), E = toDouble(FlatExact, Begin, End);
    at::Tensor Error = (O - E).div_(E.abs().add_(Result.Scale));
    // A value that is not finite, on either side, makes the greatest infinite or NaN.
    if (double Most = greatest(Error); std::isfinite(Most)) {
      Result.OwnError = std::max(Result.OwnError, Most);
      return;
    }
    at::Tensor Finite = at::isfinite(O);
    Result.Finite = Result.Finite && Finite.all().item<bool>();
    // 0 / 0 is no error; where one of them is not finite the rule does not apply.
    Error = at::where(Finite.logical_and(at::isfinite(Error)), Error, 0.0);
    Result.OwnError = std::max(Result.OwnError, greatest(Error));
  });
  return Result;
}

//===----------------------------------------------------------------------===//
// What is there
//===----------------------------------------------------------------------===//

namespace {

/// Compares piece by piece and sums up.
class Comparing {
public:
  Comparing(const Expected &Reference, const at::Tensor &Actual, const Tolerance &Wanted)
      : Reference(Reference), Real(isReal(Actual.scalar_type())) {
    DTypeTolerance Default = toleranceOf(Reference.Own.scalar_type());
    Relative = Wanted.Relative.value_or(Default.Relative);
    Relative = std::max(Relative, std::min(Default.Factor * Reference.OwnError, Default.Ceiling));
    Absolute = Wanted.Absolute.value_or(0);
    // A bool may hold any byte in memory that a kernel wrote; only 0 and 1 are bools.
    auto View = [](const at::Tensor &Tensor) {
      return flat(Tensor.scalar_type() == ScalarType::Bool
                      ? Tensor.contiguous().view(ScalarType::Byte)
                      : Tensor);
    };
    Own = View(Reference.Own);
    Exact = Real ? View(Reference.Exact) : Own;
    Got = View(Actual);
  }

  Comparison run() {
    Result.Elements = Got.numel();
    forPieces(Got.numel(), [&](int64_t Begin, int64_t End) { piece(Begin, End); });
    Result.Mismatches = Bad;
    describe();
    return std::move(Result);
  }

private:
  void piece(int64_t Begin, int64_t End) {
    if (Real)
      realPiece(Begin, End);
    else
      exactPiece(Begin, End);
  }

  void exactPiece(int64_t Begin, int64_t End) {
    at::Tensor Wrong = Got.slice(0, Begin, End).ne(Own.slice(0, Begin, End));
    at::Tensor Error = (toDouble(Got, Begin, End) - toDouble(Own, Begin, End)).abs_();
    auto [Most, At] = Error.max(0);
    if (Most.item<double>() > Result.MaxError) {
      Result.MaxError = Most.item<double>();
      WorstAt = Begin + At.item<int64_t>();
    }
    // Whatever differs is infinitely more than the nothing that is allowed.
    addToHistogram(at::where(Wrong, Infinity, 0.0), Infinity);
    count(Wrong, Begin, End);
  }

  /// Counts the elements of \p Ratio above each bound that \p Most, the greatest, is above. Nearly
  /// all of them lie in one or two bins, where a histogram's atomic additions wait for each other:
  /// of 1.6e9 elements on an H200 they took 0.25 of 0.33 s.
  void addToHistogram(const at::Tensor &Ratio, double Most) {
    if (!Above.defined())
      Above = at::zeros({static_cast<int64_t>(std::size(HistogramBounds))},
                        Ratio.options().dtype(at::kLong));
    for (size_t I = 0; I < std::size(HistogramBounds) && HistogramBounds[I] < Most; ++I)
      Above[static_cast<int64_t>(I)].add_(Ratio.gt(HistogramBounds[I]).sum());
  }

  at::Tensor allowed(const at::Tensor &E) const {
    return E.abs().mul_(Relative).add_(Relative * Reference.Scale + Absolute);
  }

  /// Whether all is right, where one reduction can tell, as in most pieces: a NaN or an infinity
  /// anywhere makes the largest ratio one, and a ratio of just 1 may have been rounded to it. The
  /// rest of realPiece() is some thirty more passes over the memory.
  bool plainlyRight(const at::Tensor &E, int64_t Begin, int64_t End) {
    at::Tensor A = Got.slice(0, Begin, End), Ratio = (A - E).div_(allowed(E));
    double Most = greatest(Ratio);
    if (!(Most < 1))
      return false;
    if (Most > 0)
      Ratio.abs_();
    keepWorst(Ratio, Most, A, E, Begin);
    return true;
  }

  void realPiece(int64_t Begin, int64_t End) {
    at::Tensor E = toDouble(Exact, Begin, End);
    if (plainlyRight(E, Begin, End))
      return;
    at::Tensor A = toDouble(Got, Begin, End), O = toDouble(Own, Begin, End);
    // fp64 can be finite where the dtype overflows, and the other way round; then the dtype's own
    // value is what the problem says, and the fp64 value, where finite, is as good.
    E = at::where(at::isfinite(E), E, O);
    at::Tensor Error = (A - E).abs_();
    at::Tensor Allowed = allowed(E);
    at::Tensor Same = A.eq(O).logical_or_(at::isnan(A).logical_and_(at::isnan(O)));
    // An infinite value allows an infinite error, which is none of the rule's.
    at::Tensor Within = Error.le(Allowed).logical_and_(at::isfinite(E));
    at::Tensor Right = Within.logical_or(Same.logical_and(at::isfinite(O).logical_not_()));
    at::Tensor Wrong = Right.logical_not();

    NaNs += (at::isnan(A).logical_and_(Wrong)).sum().item<int64_t>();
    Infinities += (A.abs().eq(Infinity).logical_and_(Wrong)).sum().item<int64_t>();
    at::Tensor Ratio = Error / Allowed;
    Ratio = at::where(at::isnan(Ratio), at::where(Wrong, Infinity, 0.0), Ratio);
    // The same infinity on both sides: infinitely far from what is finite nearby, and right.
    Ratio = at::where(Wrong.logical_not().logical_and_(Ratio.gt(1)), 0.0, Ratio);
    keepWorst(Ratio, greatest(Ratio), A, E, Begin);
    count(Wrong, Begin, End);
  }

  /// Keeps the element whose error is the largest multiple of what is allowed, \p Most.
  void keepWorst(const at::Tensor &Ratio, double Most, const at::Tensor &A, const at::Tensor &E,
                 int64_t Begin) {
    addToHistogram(Ratio, Most);
    if (Most <= Worst)
      return;
    Worst = Most;
    at::Tensor At = Ratio.argmax();
    if (Most > 0)
      WorstAt = Begin + At.item<int64_t>();
    at::Tensor There = E.index_select(0, At);
    Result.MaxError = (A.index_select(0, At) - There).abs().item<double>();
    Result.AllowedError = allowed(There).item<double>();
  }

  void count(const at::Tensor &Wrong, int64_t Begin, int64_t End) {
    auto Here = Wrong.sum().item<int64_t>();
    if (Here != 0 && Bad == 0) {
      First = Begin + Wrong.to(ScalarType::Byte).argmax().item<int64_t>();
      Result.ExpectedValue = toDouble(Real ? Exact : Own, First, First + 1).item<double>();
      Result.ActualValue = toDouble(Got, First, First + 1).item<double>();
    }
    if (Here != 0)
      Unwritten += asBits(Got.slice(0, Begin, End))
                       .eq(Got.element_size() == 1 ? 0xFF : -1)
                       .logical_and_(Wrong)
                       .sum()
                       .item<int64_t>();
    Bad += Here;
  }

  void describe() {
    auto Add = [&](const char *Code, const std::string &Text) {
      Result.Reasons.emplace_back(Code, Text);
    };
    auto Of = [&](int64_t Count) {
      return std::to_string(Count) + " of " + std::to_string(Result.Elements) + " elements";
    };
    if (Unwritten > 0)
      Add("unwritten-output", Of(Unwritten) + " were never written");
    if (NaNs > Unwritten)
      Add("nan", Of(NaNs - Unwritten) + " are NaN where the reference's are not");
    if (Infinities > 0)
      Add("inf", Of(Infinities) + " are infinite where the reference's are not");
    if (int64_t Rest = Bad - Unwritten - std::max<int64_t>(NaNs - Unwritten, 0) - Infinities;
        Rest > 0)
      Add("wrong-values", Of(Rest) + " differ by more than is allowed");
    if (!Reference.Constant && Unwritten < Result.Elements && Result.Elements > 1 &&
        isConstant(Got))
      Add("constant-output", "all elements are equal, and the reference's are not");
    Result.Passed = Result.Reasons.empty();
    if (Bad > 0)
      Result.FirstMismatch = indexOf(First);
    if (WorstAt) {
      Result.WorstIndex = indexOf(*WorstAt);
      Result.WorstExpected = toDouble(Real ? Exact : Own, *WorstAt, *WorstAt + 1).item<double>();
      Result.WorstActual = toDouble(Got, *WorstAt, *WorstAt + 1).item<double>();
    }
    Result.Histogram[0] = Result.Elements;
    if (Above.defined()) {
      at::Tensor Counts = Above.cpu();
      for (size_t I = 0; I < std::size(HistogramBounds); ++I) {
        Result.Histogram[I + 1] = Counts.const_data_ptr<int64_t>()[I];
        Result.Histogram[I] -= Result.Histogram[I + 1];
      }
    }
  }

  std::vector<int64_t> indexOf(int64_t Position) const {
    std::vector<int64_t> Index(static_cast<size_t>(Reference.Own.dim()));
    for (size_t D = Index.size(); D-- > 0;) {
      int64_t Size = Reference.Own.size(static_cast<int64_t>(D));
      Index[D] = Position % Size;
      Position /= Size;
    }
    return Index;
  }

  const Expected &Reference;
  bool Real;
  double Relative, Absolute;
  at::Tensor Own, Exact, Got; ///< Flat.
  Comparison Result;
  double Worst = -1;
  std::optional<int64_t> WorstAt; ///< Its place in memory order.
  at::Tensor Above;               ///< Elements above each of HistogramBounds.
  int64_t Bad = 0, First = 0, NaNs = 0, Infinities = 0, Unwritten = 0;
};

} // namespace

Comparison cupel::worker::compareValues(const Expected &Expected, const at::Tensor &Actual,
                                        const Tolerance &Tolerance) {
  return Comparing(Expected, Actual, Tolerance).run();
}

Json cupel::worker::toJson(const Comparison &Result) {
  Json Reply = {{"state", Result.Passed ? "passed" : "failed"},
                {"max_error", number(Result.MaxError)},
                {"allowed_error", number(Result.AllowedError)},
                {"first_mismatch", Result.FirstMismatch},
                {"mismatches", Result.Mismatches},
                {"elements", Result.Elements},
                {"reasons", Json::array()}};
  bool Some = Result.Mismatches > 0;
  Reply["expected"] = Some ? number(Result.ExpectedValue) : Json();
  Reply["actual"] = Some ? number(Result.ActualValue) : Json();
  bool Worst = !Result.WorstIndex.empty();
  Reply["worst_index"] = Result.WorstIndex;
  Reply["worst_expected"] = Worst ? number(Result.WorstExpected) : Json();
  Reply["worst_actual"] = Worst ? number(Result.WorstActual) : Json();
  Reply["error_histogram"] = Result.Histogram;
  for (const auto &[Code, Text] : Result.Reasons)
    Reply["reasons"].push_back(reason(Code, Text));
  return Reply;
}
