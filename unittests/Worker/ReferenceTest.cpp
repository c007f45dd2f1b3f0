#include "ReferenceCheck.h"
#include "gtest/gtest.h"
#include <ATen/ops/equal.h>
#include <ATen/ops/relu.h>

using namespace cupel::worker;

namespace {

Json normal(const char *Name, std::vector<int64_t> Shape) {
  return {{"name", Name},
          {"dtype", "float32"},
          {"shape", std::move(Shape)},
          {"init", {{"kind", "normal"}, {"mean", 0}, {"std", 1}}}};
}

std::string codeOf(const std::function<void()> &Do) {
  try {
    Do();
  } catch (const WorkerError &E) {
    return E.Code;
  }
  return "nothing thrown";
}

struct ReferenceTest : testing::Test {
  std::unique_ptr<Device> Cpu = Device::open("cpu");
  Json check(const char *Source, const Json &Case,
             const std::vector<std::string> &Parameters = {}) {
    return checkReference(Reference("torchscript", Source, Parameters), parseCase(Case), 1, {},
                          *Cpu);
  }
};

} // namespace

TEST_F(ReferenceTest, Runs) {
  Reference Relu("torchscript",
                 "def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(x)\n", {});
  EXPECT_EQ(Relu.outputCount(), 1);
  Inputs Values(parseCase({{"inputs", {normal("x", {3, 5})}}}), 1, *Cpu);
  EXPECT_TRUE(at::equal(Relu.run(Values)[0], at::relu(*Values.tensor("x"))));
}

TEST_F(ReferenceTest, ParametersScalarsAndTuples) {
  Reference Two("torchscript",
                "def forward(self, x: Tensor, s: float) -> Tuple[Tensor, Tensor]:\n"
                "    return x * s + self.w, torch.argmax(x, 1)\n",
                {"w"});
  EXPECT_EQ(Two.outputCount(), 2);
  Inputs Values(
      parseCase(
          {{"inputs", {normal("x", {3, 5}), {{"name", "s"}, {"scalar", "float"}, {"value", 2}}}},
           {"parameters", {normal("w", {5})}}}),
      1, *Cpu);
  Expectation Right = expectationOf(Two, Values, *Cpu);
  ASSERT_EQ(Right.Outputs.size(), 2u);
  EXPECT_EQ(Right.Precision, "float64");
  EXPECT_EQ(Right.Outputs[0].Exact.scalar_type(), at::kDouble);
  EXPECT_EQ(Right.Outputs[1].Own.scalar_type(), at::kLong);
}

TEST_F(ReferenceTest, Errors) {
  EXPECT_EQ(codeOf([] { Reference("python", "", {}); }), "unsupported-language");
  EXPECT_EQ(codeOf([] { Reference("torchscript", "def forward(self, x:\n", {}); }),
            "reference-error");
  EXPECT_EQ(codeOf([] {
              Reference("torchscript", "def forward(self, x: Tensor):\n    return torch.rleu(x)\n",
                        {});
            }),
            "reference-error");
  EXPECT_EQ(
      codeOf([] { Reference("torchscript", "def run(self, x: Tensor):\n    return x\n", {}); }),
      "reference-error");
  EXPECT_EQ(codeOf([&] {
              check("def forward(self, x: Tensor):\n    return torch.matmul(x, x)\n",
                    {{"inputs", {normal("x", {3, 5})}}});
            }),
            "reference-failed");
  EXPECT_EQ(
      codeOf([&] {
        check("def forward(self, x: Tensor):\n    return 3\n", {{"inputs", {normal("x", {3, 5})}}});
      }),
      "reference-failed");
  EXPECT_EQ(codeOf([&] {
              check("def forward(self, x: Tensor):\n    return torch.complex(x, x)\n",
                    {{"inputs", {normal("x", {3, 5})}}});
            }),
            "reference-failed");
}

TEST_F(ReferenceTest, FallsBackToTheOwnDType) {
  // Mixing dtypes refuses fp64.
  Reference Mixed("torchscript",
                  "def forward(self, x: Tensor) -> Tensor:\n"
                  "    return torch.matmul(x, torch.ones([5, 2]))\n",
                  {});
  Inputs Values(parseCase({{"inputs", {normal("x", {3, 5})}}}), 1, *Cpu);
  Expectation Right = expectationOf(Mixed, Values, *Cpu);
  EXPECT_EQ(Right.Precision, "float32");
  EXPECT_NE(Right.PrecisionReason.find("does not run in fp64"), std::string::npos)
      << Right.PrecisionReason;
}

TEST_F(ReferenceTest, CheckOfAFairProblem) {
  Json Reply = check(
      "def forward(self, x: Tensor, s: float) -> Tensor:\n    return torch.relu(x * self.w) * s\n",
      {{"inputs", {normal("x", {32, 64}), {{"name", "s"}, {"scalar", "float"}, {"value", 3}}}},
       {"parameters", {normal("w", {64})}}},
      {"w"});
  EXPECT_EQ(Reply["depends"], Json({"x", "w", "s"}));
  EXPECT_EQ(Reply["independent"], Json::array());
  EXPECT_EQ(Reply["shapes"], Json::parse("[[32, 64]]"));
  EXPECT_EQ(Reply["dtypes"], Json({"float32"}));
  EXPECT_EQ(Reply["finite"], true);
  EXPECT_EQ(Reply["repeat_equal"], true);
  EXPECT_EQ(Reply["within_tolerance"], true);
  EXPECT_EQ(Reply["mutations"].size(), 8u);
  for (const Json &Mutation : Reply["mutations"])
    EXPECT_EQ(Mutation["refused"], true) << Mutation;
}

TEST_F(ReferenceTest, CheckSeesWhatIsWrongWithAProblem) {
  Json Reply =
      check("def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x * 0.0 + 1.0\n",
            {{"inputs", {normal("x", {8, 8}), normal("y", {8, 8})}}});
  EXPECT_EQ(Reply["independent"], Json({"x", "y"}));
  Reply = check("def forward(self, x: Tensor) -> Tensor:\n    return torch.log(x)\n",
                {{"inputs", {normal("x", {8, 8})}}});
  EXPECT_EQ(Reply["finite"], false);
  Reply = check("def forward(self, x: Tensor) -> Tensor:\n    return x + torch.rand([8, 8])\n",
                {{"inputs", {normal("x", {8, 8})}}});
  EXPECT_EQ(Reply["repeat_equal"], false);
  Reply = check("def forward(self, x: Tensor) -> Tensor:\n    return x.clone()\n",
                {{"inputs", {normal("x", {8, 8})}}});
  for (const Json &Mutation : Reply["mutations"])
    EXPECT_NE(Mutation["name"], "input_copy") << "it changes nothing here";
}
