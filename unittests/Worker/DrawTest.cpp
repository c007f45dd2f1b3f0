#include "Draw.h"
#include "Inputs.h"
#include "gtest/gtest.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <cmath>

using namespace cupel::worker;

static TensorPlan plan(Json Init, std::vector<int64_t> Shape = {64, 256},
                       const char *DType = "float32") {
  return {"x", parseDType(DType), std::move(Shape), std::move(Init)};
}
static at::Tensor draw(const TensorPlan &Plan, uint64_t Seed = 1) {
  return drawTensor(Plan, Seed, c10::kCPU);
}
static double mean(const at::Tensor &X) { return X.to(at::kDouble).mean().item<double>(); }
static double low(const at::Tensor &X) { return X.to(at::kDouble).min().item<double>(); }
static double high(const at::Tensor &X) { return X.to(at::kDouble).max().item<double>(); }

TEST(Draw, SplitMixIsVignas) {
  // The first outputs of the generator from state 0, as its author's program prints them.
  EXPECT_EQ(splitmix64(0), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(splitmix64(0x9E3779B97F4A7C15), 0x6E789E6AA1B965F4u);
}

TEST(Draw, SeedDecides) {
  TensorPlan Plan = plan({{"kind", "normal"}, {"mean", 0}, {"std", 1}});
  EXPECT_TRUE(sameBits(draw(Plan, 5), draw(Plan, 5)));
  EXPECT_FALSE(sameBits(draw(Plan, 5), draw(Plan, 6)));
}

TEST(Draw, Kinds) {
  at::Tensor X = draw(plan({{"kind", "uniform"}, {"low", 2}, {"high", 4}}));
  EXPECT_GE(low(X), 2);
  EXPECT_LE(high(X), 4);
  EXPECT_NEAR(mean(X), 3, 0.05);

  X = draw(plan({{"kind", "normal"}, {"mean", 5}, {"std", 2}}));
  EXPECT_NEAR(mean(X), 5, 0.1);
  EXPECT_NEAR(X.std().item<double>(), 2, 0.1);

  X = draw(plan({{"kind", "integers"}, {"low", -2}, {"high", 3}}, {64, 256}, "int64"));
  EXPECT_EQ(low(X), -2);
  EXPECT_EQ(high(X), 2);
  EXPECT_EQ(X.scalar_type(), at::kLong);

  X = draw(plan({{"kind", "bernoulli"}, {"p", 0.25}}, {64, 256}, "bool"));
  EXPECT_EQ(X.scalar_type(), at::kBool);
  EXPECT_NEAR(mean(X), 0.25, 0.02);

  X = draw(plan({{"kind", "constant"}, {"value", 7}}, {3}, "int8"));
  EXPECT_EQ(low(X), 7);
  EXPECT_EQ(high(X), 7);

  X = draw(plan({{"kind", "sign"}}));
  EXPECT_TRUE(X.abs().eq(1).all().item<bool>());
  EXPECT_NEAR(mean(X), 0, 0.05);

  X = draw(plan({{"kind", "log_uniform"}, {"low", 0.01}, {"high", 100}}));
  EXPECT_GE(low(X), 0.0099);
  EXPECT_LE(high(X), 100.1);
  EXPECT_NEAR(mean(X.log()), 0, 0.1);

  X = draw(plan({{"kind", "arange"}, {"start", 3}, {"step", 2}}, {2, 3}));
  EXPECT_TRUE(at::equal(X.view(-1), at::arange(6, at::kFloat) * 2 + 3));
  for (const char *Type : {"int64", "int32", "int16", "int8", "uint8"}) {
    X = draw(plan({{"kind", "arange"}, {"start", 7}, {"step", 2}}, {2, 3}, Type));
    EXPECT_TRUE(at::equal(X.view(-1).to(at::kLong), at::arange(6, at::kLong) * 2 + 7)) << Type;
    EXPECT_EQ(X.scalar_type(), parseDType(Type));
  }

  X = draw(plan({{"kind", "permutation"}}, {10, 10}, "int32"));
  EXPECT_TRUE(at::equal(std::get<0>(X.view(-1).sort()), at::arange(100, at::kInt)));

  X = draw(plan({{"kind", "kaiming_uniform"}}, {64, 4, 4, 4}));
  EXPECT_NEAR(high(X), 1.0 / 8, 0.002);
  X = draw(plan({{"kind", "kaiming_normal"}, {"gain", 2}}, {64, 256}));
  EXPECT_NEAR(X.std().item<double>(), 2.0 / 16, 0.005);
}

TEST(Draw, HalfIsRoundedOnce) {
  TensorPlan Wide = plan({{"kind", "normal"}, {"mean", 0}, {"std", 1}});
  TensorPlan Narrow = Wide;
  Narrow.DType = at::kHalf;
  EXPECT_TRUE(at::equal(draw(Narrow), draw(Wide).to(at::kHalf)));
}

TEST(Draw, Transforms) {
  Json Normal = {{"kind", "normal"}, {"mean", 0}, {"std", 1}};
  auto With = [&](Json Transform) {
    Json Init = Normal;
    Init["transform"] = std::move(Transform);
    return draw(plan(Init, {32, 32}));
  };
  at::Tensor Plain = draw(plan(Normal, {32, 32}));
  EXPECT_TRUE(at::equal(With("upper_triangular"), Plain.triu()));
  EXPECT_TRUE(at::equal(With(Json::array({"lower_triangular"})), Plain.tril()));
  at::Tensor Symmetric = With("symmetric");
  EXPECT_TRUE(at::equal(Symmetric, Symmetric.t()));
  EXPECT_TRUE(With("softmax").sum(-1).sub(1).abs().lt(1e-5).all().item<bool>());
  at::Tensor Ratio = With("uneven") / Plain;
  EXPECT_GT(low(Ratio), 0.24);
  EXPECT_LT(high(Ratio), 4.01);
  EXPECT_GT(high(Ratio) / low(Ratio), 2);
  at::Tensor Scale = With("random_scale") / Plain;
  EXPECT_NEAR(high(Scale), low(Scale), 1e-5);
  at::Tensor Positive = With("positive_definite");
  EXPECT_TRUE(Positive.diagonal().gt(1).all().item<bool>());
}

TEST(Draw, SparseKeepsAnEighth) {
  Json Init = {{"kind", "normal"}, {"mean", 100}, {"std", 1}, {"transform", "sparse"}};
  at::Tensor X = draw(plan(Init));
  EXPECT_NEAR(X.ne(0).to(at::kDouble).mean().item<double>(), 1.0 / 8, 0.02);
  // Those that are left are what was drawn, and no zero has a sign.
  Init.erase("transform");
  at::Tensor Plain = draw(plan(Init));
  EXPECT_TRUE(at::equal(X, Plain.masked_fill(X.eq(0), 0)));
  Init = {{"kind", "constant"}, {"value", -1}, {"transform", "sparse"}};
  EXPECT_FALSE(draw(plan(Init)).eq(0).logical_and(draw(plan(Init)).signbit()).any().item<bool>());
  EXPECT_THROW(draw(plan(Init, {})), WorkerError);
}

TEST(Draw, EqualRows) {
  Json Init = {{"kind", "normal"}, {"mean", 0}, {"std", 1}, {"transform", "equal_rows"}};
  at::Tensor X = draw(plan(Init, {5, 3, 7}));
  for (int64_t Row = 1; Row < 5; ++Row)
    EXPECT_TRUE(at::equal(X[Row], X[0]));
  EXPECT_GT(X[0].std().item<double>(), 0.1);
  // What follows may write in place.
  Init["transform"] = Json::array({"equal_rows", "uneven"});
  EXPECT_FALSE(at::equal(draw(plan(Init, {5, 3, 7}))[0], draw(plan(Init, {5, 3, 7}))[1]));
  EXPECT_THROW(draw(plan(Init, {1, 3})), WorkerError);
  EXPECT_THROW(draw(plan(Init, {})), WorkerError);
}

TEST(Draw, SpecialValuesAreThoseOfTheDType) {
  const Json Init = {{"kind", "normal"}, {"mean", 0}, {"std", 1}, {"transform", "special_values"}};
  const std::pair<const char *, double> SmallestNormal[] = {
      {"float64", 0x1p-1022}, {"float32", 0x1p-126}, {"bfloat16", 0x1p-126}, {"float16", 0x1p-14}};
  for (auto [Type, Normal] : SmallestNormal) {
    at::Tensor X = draw(plan(Init, {64, 256}, Type)).to(at::kDouble).view(-1);
    EXPECT_TRUE(X.isfinite().all().item<bool>()) << Type;
    double Share = 0;
    for (double Value : {0.0, 1.0, 0.5, 2.0, 0x1p10, 0x1p15, Normal, Normal / 16})
      for (bool Negative : {false, true}) {
        at::Tensor Hits = X.abs().eq(Value).logical_and(X.signbit().eq(Negative));
        double Part = Hits.to(at::kDouble).mean().item<double>();
        EXPECT_NEAR(Part, 0.25 / 16, 0.006) << Type << ' ' << Value << ' ' << Negative;
        Share += Part;
      }
    EXPECT_NEAR(Share, 0.25, 0.02) << Type;
  }
  EXPECT_EQ(draw(plan(Init, {})).dim(), 0);
}

TEST(Draw, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(draw(plan({{"kind", "gauss"}})), WorkerError);
  EXPECT_THROW(draw(plan({{"kind", "normal"}, {"mean", 0}})), WorkerError);
  EXPECT_THROW(draw(plan({{"kind", "normal"}, {"mean", 0}, {"std", 1}}, {4}, "int32")),
               WorkerError);
  EXPECT_THROW(draw(plan({{"kind", "constant"}, {"value", 1}, {"transform", "mirror"}})),
               WorkerError);
  EXPECT_THROW(draw(plan({{"kind", "constant"}, {"value", 1}, {"transform", "symmetric"}}, {4, 5})),
               WorkerError);
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static CasePlan oneTensor() {
  CasePlan Plan;
  Plan.Inputs.push_back({false, plan({{"kind", "normal"}, {"mean", 0}, {"std", 1}}, {5, 7}), {}});
  return Plan;
}

TEST(Inputs, ChangesAreSeen) {
  auto Cpu = Device::open("cpu");
  Inputs Values(oneTensor(), 3, *Cpu);
  const at::Tensor &X = *Values.tensor("x");
  EXPECT_EQ(X.storage_offset(), 0);
  EXPECT_TRUE(X.is_contiguous());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(X.const_data_ptr()) % 16, 0u);
  EXPECT_TRUE(Values.changed().empty());
  X.data_ptr<float>()[34] += 1;
  EXPECT_EQ(Values.changed(), std::vector<std::string>{"x"});
  Values.redraw(3);
  EXPECT_TRUE(Values.changed().empty());
  X.data_ptr<float>()[35] = 0; // Behind the end.
  EXPECT_EQ(Values.changed(), std::vector<std::string>{"x"});
}

TEST(Inputs, WritesBeforeTheStartAreSeen) {
  auto Cpu = Device::open("cpu");
  Inputs Values(oneTensor(), 3, *Cpu);
  Values.tensor("x")->data_ptr<float>()[-1] = 0;
  EXPECT_EQ(Values.changed(), std::vector<std::string>{"x"});
}

TEST(Inputs, Overlap) {
  auto Cpu = Device::open("cpu");
  Inputs Values(oneTensor(), 3, *Cpu);
  EXPECT_EQ(Values.overlapping(Values.tensor("x")->slice(0, 1, 2)), "x");
  EXPECT_EQ(Values.overlapping(Values.tensor("x")->clone()), std::nullopt);
}

TEST(Inputs, CastLeavesIntegersAlone) {
  auto Cpu = Device::open("cpu");
  CasePlan Plan = oneTensor();
  Plan.Parameters.push_back(plan({{"kind", "integers"}, {"low", 0}, {"high", 4}}, {6}, "int64"));
  Plan.Parameters[0].Name = "index";
  Inputs Wide = Inputs(Plan, 3, *Cpu).cast(at::kDouble);
  EXPECT_EQ(Wide.tensor("x")->scalar_type(), at::kDouble);
  EXPECT_EQ(Wide.tensor("index")->scalar_type(), at::kLong);
}

TEST(Inputs, LastTimedCallHasTheSeedsValues) {
  auto Cpu = Device::open("cpu");
  Inputs Values(oneTensor(), 3, *Cpu);
  at::Tensor Right = Values.tensor("x")->clone();
  auto Prepare = redrawBetween(Values, 3);
  Prepare(false);
  at::Tensor First = Values.tensor("x")->clone();
  Prepare(false);
  at::Tensor Second = Values.tensor("x")->clone();
  Prepare(true);
  EXPECT_FALSE(at::equal(First, Right));
  EXPECT_FALSE(at::equal(First, Second));
  EXPECT_TRUE(at::equal(*Values.tensor("x"), Right));
}

TEST(Inputs, TooLargeForTheMemory) {
  auto Cpu = Device::open("cpu");
  CasePlan Plan = oneTensor();
  Plan.Inputs[0].Tensor.Shape = {int64_t(1) << 40};
  try {
    Inputs Values(Plan, 3, *Cpu);
    FAIL();
  } catch (const WorkerError &E) {
    EXPECT_EQ(E.Code, "out-of-memory");
    EXPECT_NE(std::string(E.what()).find("needs 4.0 TiB"), std::string::npos) << E.what();
  }
}
