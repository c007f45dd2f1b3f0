#include "Case.h"
#include "Inputs.h"
#include "gtest/gtest.h"

using namespace cupel::worker;

static Json tensor(const char *Name) {
  return {{"name", Name}, {"dtype", "float16"}, {"shape", {3, 5}}, {"init", {{"kind", "normal"}}}};
}

TEST(Case, InputsThenParametersWithoutScalars) {
  CasePlan Plan = parseCase(
      {{"name", "c"},
       {"inputs", {tensor("x"), {{"name", "s"}, {"scalar", "float"}, {"value", 2}}, tensor("y")}},
       {"parameters", {tensor("w")}}});
  std::string Names;
  for (const TensorPlan *Tensor : Plan.tensors())
    Names += Tensor->Name;
  EXPECT_EQ(Names, "xyw");
  EXPECT_EQ(Plan.bytes(), 3 * 3 * 5 * 2);
  EXPECT_TRUE(Plan.Inputs[1].IsScalar);
  EXPECT_EQ(Plan.Inputs[1].Scalar.Value, 2);
}

TEST(Case, BoolScalars) {
  CasePlan Plan = parseCase({{"inputs", {{{"name", "b"}, {"scalar", "bool"}, {"value", true}}}}});
  EXPECT_EQ(Plan.Inputs[0].Scalar.Type, ScalarPlan::Kind::Bool);
  EXPECT_EQ(Plan.Inputs[0].Scalar.Value, 1);
}

TEST(Case, IntScalarsStayExact) {
  for (int64_t Value : {int64_t(9007199254740993), INT64_MAX, INT64_MIN}) {
    CasePlan Plan = parseCase({{"inputs", {{{"name", "n"}, {"scalar", "int"}, {"value", Value}}}}});
    EXPECT_EQ(scalarValue(Plan.Inputs[0].Scalar).toInt(), Value);
  }
}

TEST(Case, RefusesWhatItDoesNotKnow) {
  Json Bad = tensor("x");
  Bad["dtype"] = "complex64";
  EXPECT_THROW(parseCase({{"inputs", {Bad}}}), WorkerError);
  Bad = tensor("x");
  Bad.erase("init");
  EXPECT_THROW(parseCase({{"inputs", {Bad}}}), WorkerError);
  EXPECT_THROW(parseCase({{"inputs", {{{"name", "s"}, {"scalar", "complex"}, {"value", 1}}}}}),
               WorkerError);
  EXPECT_THROW(parseCase(Json::object()), WorkerError);
}

TEST(Case, SizesThatOverflow) {
  Json Big = tensor("x");
  Big["shape"] = {int64_t(1) << 40, int64_t(1) << 40};
  EXPECT_THROW(parseCase({{"inputs", {Big}}}).bytes(), WorkerError);
  Big["shape"] = {int64_t(1) << 62};
  EXPECT_THROW(parseCase({{"inputs", {Big}}}).bytes(), WorkerError);
  Big["shape"] = {-1};
  EXPECT_THROW(parseCase({{"inputs", {Big}}}).bytes(), WorkerError);
}

TEST(Case, DTypeNames) {
  for (const char *Name : {"float64", "float32", "float16", "bfloat16", "int64", "int32", "int16",
                           "int8", "uint8", "bool"})
    EXPECT_EQ(dtypeName(parseDType(Name)), Name);
}
