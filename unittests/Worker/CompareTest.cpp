#include "Compare.h"
#include "gtest/gtest.h"
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <cmath>
#include <cstring>
#include <limits>

using namespace cupel::worker;

namespace {

constexpr float NaN = std::numeric_limits<float>::quiet_NaN();
constexpr float Inf = std::numeric_limits<float>::infinity();

Comparison judged(const at::Tensor &Own, const at::Tensor &Exact, const at::Tensor &Actual,
                  Tolerance Wanted = {}) {
  return compareValues(makeExpected(Own, Exact), Actual, Wanted);
}
Comparison judged(const at::Tensor &Own, const at::Tensor &Actual) {
  return judged(Own, Own, Actual);
}

bool has(const Comparison &Result, const char *Code) {
  for (const auto &[Found, Text] : Result.Reasons)
    if (Found == Code)
      return true;
  return false;
}

/// The mantissa rounded to \p Bits bits, as the tensor cores' TF32 (10) does.
at::Tensor rounded(const at::Tensor &X, int Bits) {
  at::Tensor Result = X.clone();
  auto *Data = static_cast<uint32_t *>(Result.data_ptr());
  for (int64_t I = 0; I < X.numel(); ++I)
    Data[I] = (Data[I] + (1u << (22 - Bits))) >> (23 - Bits) << (23 - Bits);
  return Result;
}

/// A B as one thread an element sums it up.
at::Tensor oneByOne(const at::Tensor &A, const at::Tensor &B) {
  at::Tensor C = at::zeros({A.size(0), B.size(1)});
  for (int64_t K = 0; K < A.size(1); ++K)
    C.addr_(A.select(1, K), B.select(0, K));
  return C;
}

class MatmulTolerance : public testing::TestWithParam<int64_t> {
protected:
  void SetUp() override {
    at::manual_seed(1);
    A = at::randn({48, GetParam()});
    B = at::randn({GetParam(), 48});
    Reference = makeExpected(at::matmul(A, B), at::matmul(A.to(at::kDouble), B.to(at::kDouble)));
  }
  Comparison judge(const at::Tensor &C) { return compareValues(Reference, C, {}); }
  at::Tensor A, B;
  Expected Reference;
};

} // namespace

TEST_P(MatmulTolerance, AnyOrderOfSummationPasses) {
  EXPECT_TRUE(judge(oneByOne(A, B)).Passed);
  EXPECT_TRUE(judge(oneByOne(A.flip(1), B.flip(0))).Passed);
  at::Tensor Split = at::zeros({48, 48});
  for (int64_t Start = 0; Start < A.size(1); Start += 64)
    Split += at::matmul(A.slice(1, Start, Start + 64), B.slice(0, Start, Start + 64));
  EXPECT_TRUE(judge(Split).Passed);
}

TEST_P(MatmulTolerance, LowerPrecisionFails) {
  EXPECT_FALSE(judge(at::matmul(rounded(A, 10), rounded(B, 10))).Passed);
  EXPECT_FALSE(
      judge(at::matmul(A.to(at::kHalf).to(at::kFloat), B.to(at::kHalf).to(at::kFloat))).Passed);
  EXPECT_FALSE(
      judge(at::matmul(A.to(at::kBFloat16).to(at::kFloat), B.to(at::kBFloat16).to(at::kFloat)))
          .Passed);
  EXPECT_FALSE(judge(at::matmul(A, B).to(at::kHalf).to(at::kFloat)).Passed);
}

TEST_P(MatmulTolerance, WrongResultsFail) {
  at::Tensor C = at::matmul(A, B);
  EXPECT_FALSE(judge(at::zeros_like(C)).Passed);
  EXPECT_FALSE(judge(C * 1.001).Passed);
  EXPECT_FALSE(judge(C + 0.01 * C.std()).Passed);
  at::Tensor One = C.clone();
  One[13][17] += 0.001 * C.std();
  Comparison Result = judge(One);
  EXPECT_FALSE(Result.Passed);
  EXPECT_EQ(Result.Mismatches, 1);
  EXPECT_EQ(Result.FirstMismatch, (std::vector<int64_t>{13, 17}));
  EXPECT_GT(Result.MaxError, Result.AllowedError);
}

INSTANTIATE_TEST_SUITE_P(K, MatmulTolerance, testing::Values(16, 256, 4096, 16384));

TEST(Compare, HeavyTailsDoNotHideTheRest) {
  // A standard deviation would be near 100000 here, and allow 3 for elements near 1.
  at::manual_seed(1);
  at::Tensor X = (at::randn({100000}, at::kDouble) * 4).exp();
  at::Tensor Own = X.to(at::kFloat), Wrong = Own.clone();
  int64_t Small = (X - 1).abs().argmin().item<int64_t>();
  Wrong[Small] += 0.01;
  EXPECT_TRUE(judged(Own, X, Own).Passed);
  Comparison Result = judged(Own, X, Wrong);
  EXPECT_EQ(Result.Mismatches, 1);
  EXPECT_EQ(Result.FirstMismatch, std::vector<int64_t>{Small});
}

TEST(Compare, NearlyHalfZerosDoNotHideTheScale) {
  // The median of a ReLU's output lies just above its zeros: half of all distances from it are
  // tiny.
  at::manual_seed(1);
  at::Tensor A = at::randn({1024, 512}), B = at::randn({512, 1024}), Naive = oneByOne(A, B);
  at::Tensor Exact = at::matmul(A.to(at::kDouble), B.to(at::kDouble)), Own = at::matmul(A, B);
  int64_t Half = Exact.numel() / 2;
  for (int64_t Zeros : {Half / 2, Half - 20, Half - 1, Half, Half * 3 / 2}) {
    double Shift = std::get<0>(Exact.view(-1).kthvalue(Zeros)).item<double>();
    Expected Reference = makeExpected((Own - Shift).relu(), (Exact - Shift).relu());
    Comparison Result = compareValues(Reference, (Naive - Shift).relu(), {});
    EXPECT_TRUE(Result.Passed) << Zeros << " zeros: " << Result.Mismatches << " wrong";
    EXPECT_FALSE(compareValues(Reference, (Naive - Shift).relu() + 0.02, {}).Passed) << Zeros;
  }
}

TEST(Compare, HalfAndBFloat16) {
  at::manual_seed(1);
  for (auto Type : {at::kHalf, at::kBFloat16}) {
    at::Tensor A = at::randn({32, 256}).to(Type), B = at::randn({256, 32}).to(Type);
    at::Tensor Exact = at::matmul(A.to(at::kDouble), B.to(at::kDouble));
    at::Tensor Own = at::matmul(A.to(at::kFloat), B.to(at::kFloat)).to(Type);
    EXPECT_TRUE(judged(Own, Exact, oneByOne(A.to(at::kFloat), B.to(at::kFloat)).to(Type)).Passed);
    at::Tensor Low = at::zeros({32, 32}).to(Type);
    for (int64_t K = 0; K < 256; ++K)
      Low = Low + A.select(1, K).unsqueeze(1) * B.select(0, K).unsqueeze(0);
    EXPECT_FALSE(judged(Own, Exact, Low).Passed) << "sums in the dtype";
    EXPECT_FALSE(judged(Own, Exact, at::zeros_like(Own)).Passed);
  }
}

TEST(Compare, ConstantsNeverPass) {
  // Nearly constant values: the elements' own tolerance would let the constant through.
  at::manual_seed(1);
  at::Tensor Own = at::rand({1000}) + 1e5;
  at::Tensor Constant = at::full_like(Own, Own[0].item());
  Comparison Result = judged(Own, Constant);
  EXPECT_EQ(Result.Mismatches, 0);
  EXPECT_FALSE(Result.Passed);
  EXPECT_TRUE(has(Result, "constant-output"));
  EXPECT_TRUE(judged(Constant, Constant).Passed) << "where the reference is constant";
  EXPECT_TRUE(judged(Own.slice(0, 0, 1), Own.slice(0, 0, 1)).Passed) << "one element";
}

TEST(Compare, NotANumber) {
  at::Tensor Own = at::tensor({1.0f, 2.0f, NaN, 4.0f});
  EXPECT_TRUE(judged(Own, Own).Passed);
  Comparison Result = judged(Own, at::tensor({1.0f, NaN, NaN, 4.0f}));
  EXPECT_TRUE(has(Result, "nan"));
  EXPECT_EQ(Result.FirstMismatch, std::vector<int64_t>{1});
  EXPECT_TRUE(std::isnan(Result.ActualValue));
  EXPECT_EQ(Result.ExpectedValue, 2);
  EXPECT_TRUE(has(judged(Own, at::tensor({1.0f, 2.0f, 3.0f, 4.0f})), "wrong-values"));
}

TEST(Compare, Infinities) {
  at::Tensor Own = at::tensor({1.0f, Inf, -Inf, 4.0f});
  Comparison Same = judged(Own, Own);
  EXPECT_TRUE(Same.Passed);
  EXPECT_TRUE(std::isfinite(Same.MaxError));
  EXPECT_TRUE(has(judged(Own, at::tensor({Inf, Inf, -Inf, 4.0f})), "inf"));
  EXPECT_FALSE(judged(Own, at::tensor({1.0f, -Inf, -Inf, 4.0f})).Passed);
  EXPECT_FALSE(judged(Own, at::tensor({1.0f, 3e38f, -Inf, 4.0f})).Passed);
}

TEST(Compare, OverflowOfTheDTypeIsTheProblems) {
  at::Tensor Exact = at::tensor({1.0, 7e4, 3.0}, at::kDouble);
  at::Tensor Own = Exact.to(at::kHalf); // 1, inf, 3
  EXPECT_TRUE(judged(Own, Exact, Own).Passed);
  at::Tensor Nan = Own.clone();
  Nan[1] = NaN;
  EXPECT_FALSE(judged(Own, Exact, Nan).Passed);
}

TEST(Compare, UnwrittenMemory) {
  at::Tensor Own = at::randn({100}), Actual = Own.clone();
  std::memset(Actual.data_ptr<float>() + 50, 0xFF, 50 * sizeof(float));
  Comparison Result = judged(Own, Actual);
  ASSERT_EQ(Result.Reasons.size(), 1u);
  EXPECT_EQ(Result.Reasons[0].first, "unwritten-output");
  EXPECT_EQ(Result.Mismatches, 50);
}

TEST(Compare, IntegersAreExact) {
  at::Tensor Own = at::tensor({1, 2, 3}, at::kLong);
  EXPECT_TRUE(judged(Own, Own.clone()).Passed);
  Comparison Result = judged(Own, at::tensor({1, 2, 4}, at::kLong));
  EXPECT_FALSE(Result.Passed);
  EXPECT_EQ(Result.MaxError, 1);
  EXPECT_EQ(Result.AllowedError, 0);
  // Neighbours above 2^53 have the same double.
  at::Tensor Big = at::tensor({(int64_t(1) << 60)}, at::kLong);
  EXPECT_FALSE(judged(Big, Big + 1).Passed);
}

TEST(Compare, BoolsOfOtherBytes) {
  at::Tensor Own = at::tensor({1, 0, 1}, at::kByte).to(at::kBool), Actual = Own.clone();
  EXPECT_TRUE(judged(Own, Actual).Passed);
  static_cast<uint8_t *>(Actual.data_ptr())[2] = 0xFF;
  EXPECT_TRUE(has(judged(Own, Actual), "unwritten-output"));
}

TEST(Compare, ProblemsOwnTolerance) {
  at::Tensor Own = at::randn({1000}), Off = Own * 1.01;
  EXPECT_FALSE(judged(Own, Own, Off).Passed);
  EXPECT_TRUE(judged(Own, Own, Off, {0.02, {}}).Passed);
  EXPECT_TRUE(judged(Own, Own, Own + 0.01, {{}, 0.02}).Passed);
  EXPECT_FALSE(judged(Own, Own, at::zeros_like(Own), {0.9, 100}).Passed);
}

TEST(Compare, IllConditionedReferencesAreNotAFreePass) {
  // The reference's own error is as large as the values; the ceiling still refuses noise.
  at::manual_seed(1);
  at::Tensor Exact = at::randn({1000}, at::kDouble);
  at::Tensor Own = (Exact + at::randn({1000}, at::kDouble)).to(at::kFloat);
  EXPECT_FALSE(judged(Own, Exact, at::zeros_like(Own)).Passed);
}

TEST(Compare, ScalarsAndLongTensors) {
  at::Tensor Loss = at::tensor({2.5f}).squeeze();
  EXPECT_TRUE(judged(Loss, Loss.clone()).Passed);
  EXPECT_FALSE(judged(Loss, Loss * 1.01).Passed);
  EXPECT_TRUE(judged(Loss, Loss * 1.01).FirstMismatch.empty());
  // More than one piece.
  at::Tensor Long = at::rand({(int64_t(1) << 23) + 5}), Wrong = Long.clone();
  Wrong[(int64_t(1) << 23) + 3] = 2;
  EXPECT_EQ(judged(Long, Wrong).FirstMismatch, std::vector<int64_t>{(int64_t(1) << 23) + 3});
}

TEST(Compare, JsonOfAFailure) {
  Json Reply = toJson(judged(at::tensor({1.0f, 2.0f}), at::tensor({1.0f, NaN})));
  EXPECT_EQ(Reply["state"], "failed");
  EXPECT_EQ(Reply["actual"], "nan");
  EXPECT_EQ(Reply["expected"], 2.0);
  EXPECT_EQ(Reply["first_mismatch"], Json({1}));
  EXPECT_EQ(Reply["reasons"][0]["code"], "nan");
}

TEST(Compare, TheWorstElementAndTheHistogram) {
  at::Tensor Own = at::tensor({1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f}).view({2, 4});
  at::Tensor Actual = Own.clone();
  Tolerance One;
  One.Relative = 0;
  One.Absolute = 1;
  Actual[0][1] += 0.25; // Within: 0.25 of what is allowed.
  Actual[1][0] += 1.5;
  Actual[1][2] -= 50;
  Actual[1][3] = NaN;
  Comparison Result = judged(Own, Own, Actual, One);
  // 0, to 0.001, 0.01, 0.1, 0.5, 1, 2, 10, 100, above.
  EXPECT_EQ(Result.Histogram, (decltype(Result.Histogram){4, 0, 0, 0, 1, 0, 1, 0, 1, 1}));
  EXPECT_EQ(Result.WorstIndex, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(Result.WorstExpected, 8);
  EXPECT_TRUE(std::isnan(Result.WorstActual));

  Comparison Right = judged(Own, Own.clone());
  EXPECT_EQ(Right.Histogram[0], 8);
  EXPECT_TRUE(Right.WorstIndex.empty());

  at::Tensor Numbers = at::tensor({1, 2, 3}), Others = at::tensor({1, 2, 5});
  Comparison Integers = judged(Numbers, Others);
  EXPECT_EQ(Integers.Histogram.front(), 2);
  EXPECT_EQ(Integers.Histogram.back(), 1);
  EXPECT_EQ(Integers.WorstIndex, (std::vector<int64_t>{2}));
}
