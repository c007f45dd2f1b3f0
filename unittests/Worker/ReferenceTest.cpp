#include "ReferenceCheck.h"
#include "ReferenceMemory.h"
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
  for (const char *Result : {"3", "[x]", "(x, 3)", "(x, (x, x))", "None"})
    EXPECT_EQ(codeOf([&] {
                Reference("torchscript",
                          std::string("def forward(self, x: Tensor):\n    return ") + Result, {});
              }),
              "reference-error")
        << Result;
  EXPECT_EQ(codeOf([&] {
              check("def forward(self, x: Tensor):\n    return torch.complex(x, x)\n",
                    {{"inputs", {normal("x", {3, 5})}}});
            }),
            "reference-failed");
}

TEST_F(ReferenceTest, NoStatement) {
  for (const char *Statement :
       {"retrun x + 1", "y x", "x + 1 2", "x: Tensor", "z: Union[int] = 2"}) {
    std::string Source = std::string("def forward(self, x: Tensor):\n    y = x\n\n    ") +
                         Statement + "\n    return y\n";
    try {
      Reference("torchscript", Source, {});
      ADD_FAILURE() << "compiles: " << Statement;
    } catch (const WorkerError &Error) {
      EXPECT_EQ(Error.Code, "reference-error") << Statement;
      EXPECT_EQ(std::string(Error.what()).find("ASSERT"), std::string::npos) << Error.what();
      EXPECT_EQ(Error.Line, 4) << Statement;
      EXPECT_GE(Error.Column, 5) << Statement;
    }
  }
}

TEST_F(ReferenceTest, FallsBackToTheOwnDType) {
  // Mixing dtypes refuses fp64.
  Reference Mixed("torchscript",
                  "def forward(self, x: Tensor) -> Tensor:\n"
                  "    return torch.matmul(x, torch.ones([5, 2], dtype=6))\n",
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
  EXPECT_EQ(Reply["negligible"], Json::array());
  EXPECT_EQ(Reply["fixed_outputs"], Json::array());
  EXPECT_EQ(Reply["named_dtypes"], Json::array());
  EXPECT_EQ(Reply["shapes"], Json::parse("[[32, 64]]"));
  EXPECT_EQ(Reply["dtypes"], Json({"float32"}));
  EXPECT_EQ(Reply["not_finite"], Json({0}));
  EXPECT_EQ(Reply["repeat_equal"], true);
  EXPECT_EQ(Reply["within_tolerance"], true);
  EXPECT_EQ(Reply["mutations"].size(), 8u);
  for (const Json &Mutation : Reply["mutations"])
    EXPECT_EQ(Mutation["state"], "refused") << Mutation;
}

TEST_F(ReferenceTest, CheckSeesWhatIsWrongWithAProblem) {
  Json Reply =
      check("def forward(self, x: Tensor, y: Tensor) -> Tensor:\n    return x * 0.0 + 1.0\n",
            {{"inputs", {normal("x", {8, 8}), normal("y", {8, 8})}}});
  EXPECT_EQ(Reply["independent"], Json({"x", "y"}));
  EXPECT_EQ(Reply["fixed_outputs"], Json({0}));
  Reply = check("def forward(self, x: Tensor) -> Tensor:\n    return torch.log(x)\n",
                {{"inputs", {normal("x", {8, 8})}}});
  EXPECT_GT(Reply["not_finite"][0], 0);
  Reply = check("def forward(self, x: Tensor) -> Tensor:\n    return x + torch.rand([8, 8])\n",
                {{"inputs", {normal("x", {8, 8})}}});
  EXPECT_EQ(Reply["repeat_equal"], false);
  Reply = check("def forward(self, x: Tensor) -> Tensor:\n    return torch.relu_(x)\n",
                {{"inputs", {normal("x", {8, 8})}}});
  EXPECT_EQ(Reply["inputs_changed"], Json({"x"}));
}

TEST_F(ReferenceTest, AnInputThatOnlyRoundingTells) {
  // The mean takes the constant away again.
  Json Reply =
      check("def forward(self, x: Tensor) -> Tensor:\n"
            "    y = x + self.b\n"
            "    return y - torch.mean(y, 1, keepdim=True)\n",
            {{"inputs", {normal("x", {8, 64})}}, {"parameters", {normal("b", {8, 1})}}}, {"b"});
  EXPECT_EQ(Reply["depends"], Json({"x"}));
  EXPECT_EQ(Reply["negligible"], Json({"b"}));
}

TEST_F(ReferenceTest, OneElementIsDrawnOftenEnough) {
  // A sign stays the same in every second draw.
  for (uint64_t Seed = 1; Seed != 9; ++Seed) {
    Json Reply = checkReference(
        Reference("torchscript",
                  "def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(torch.sign(x))\n",
                  {}),
        parseCase({{"inputs", {normal("x", {1})}}}), Seed, {}, *Cpu);
    EXPECT_EQ(Reply["depends"], Json({"x"})) << Seed;
  }
}

static bool dependsOn(const Json &Reply, const char *Name) {
  const Json &Names = Reply["depends"];
  return std::find(Names.begin(), Names.end(), Name) != Names.end();
}

TEST_F(ReferenceTest, OtherValuesOfWhatIsNeverDrawn) {
  auto Constant = [](const char *Name, std::vector<int64_t> Shape, double Value,
                     const char *DType = "float32") -> Json {
    return {{"name", Name},
            {"dtype", DType},
            {"shape", std::move(Shape)},
            {"init", {{"kind", "constant"}, {"value", Value}}}};
  };
  // -1 is where x * 1.5 + 0.5 stays; a maximum shows one side of itself; what is the same for all
  // elements cancels in a softmax.
  for (const char *Body : {"x * self.w", "torch.minimum(x, self.w)", "torch.maximum(x, self.w)",
                           "torch.softmax(x + self.w, 1)"})
    for (double Value : {-2.0, -1.0, 0.0, 3.0, -30.0, 30.0}) {
      Json Reply = check(
          (std::string("def forward(self, x: Tensor) -> Tensor:\n    return ") + Body).c_str(),
          {{"inputs", {normal("x", {8, 16})}}, {"parameters", {Constant("w", {16}, Value)}}},
          {"w"});
      EXPECT_TRUE(dependsOn(Reply, "w")) << Body << Value;
    }
  for (const char *Body : {"x * s + 1", "torch.clamp(x, max=s)", "torch.clamp(x, min=s)"})
    for (const char *Type : {"float", "int"})
      for (int Value : {-1, -2, 0, 4}) {
        std::string Source = std::string("def forward(self, x: Tensor, s: ") + Type +
                             ") -> Tensor:\n    return " + Body;
        Json Reply =
            check(Source.c_str(),
                  {{"inputs",
                    {normal("x", {8, 16}), {{"name", "s"}, {"scalar", Type}, {"value", Value}}}}});
        EXPECT_TRUE(dependsOn(Reply, "s")) << Source << Value;
      }
  Json Reply = check("def forward(self, x: Tensor, k: Tensor) -> Tensor:\n"
                     "    return torch.minimum(x, k.to(x.dtype))\n",
                     {{"inputs", {normal("x", {8, 16}), Constant("k", {16}, 9, "int32")}}});
  EXPECT_TRUE(dependsOn(Reply, "k"));
  Reply = check(
      "def forward(self, x: Tensor, s: float) -> Tensor:\n    return x + 0.0 * s\n",
      {{"inputs", {normal("x", {8, 16}), {{"name", "s"}, {"scalar", "float"}, {"value", -1}}}}});
  EXPECT_EQ(Reply["independent"], Json({"s"}));
}

TEST_F(ReferenceTest, AnOutputThatIsOneButForRounding) {
  // With few rows rounding may make all of them exactly 1 once and not the next time.
  for (int Rows : {3, 8, 200})
    for (const char *Body :
         {"torch.softmax(x, 1).sum(1)", "torch.norm(x / torch.norm(x, 2, [1], True), 2, [1])",
          "torch.log_softmax(x, 1).exp().sum(1)"}) {
      Json Reply = check(
          (std::string("def forward(self, x: Tensor) -> Tensor:\n    return ") + Body).c_str(),
          {{"inputs", {normal("x", {Rows, 16})}}});
      EXPECT_EQ(Reply["fixed_outputs"], Json({0})) << Body << Rows;
      EXPECT_EQ(Reply["depends"], Json::array()) << Body << Rows;
    }
}

/// `zeros 0 refused`, ... of one reference of x with 8 x 8 elements.
static std::string statesOf(const Json &Reply, const std::string &Name) {
  std::string Text;
  for (const Json &Mutation : Reply["mutations"])
    if (Mutation["name"] == Name)
      Text += std::to_string(Mutation["output"].get<int>()) + " " +
              Mutation["state"].get<std::string>() + ", ";
  return Text;
}

TEST_F(ReferenceTest, EachOutputIsMutatedAlone) {
  Json Reply = check("def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:\n"
                     "    return x * 2.0, torch.zeros_like(x)\n",
                     {{"inputs", {normal("x", {8, 8})}}});
  EXPECT_EQ(statesOf(Reply, "zeros"), "0 refused, 1 equal, ");
  EXPECT_EQ(Reply["fixed_outputs"], Json({1}));
}

TEST_F(ReferenceTest, WhatAMutationCannotDoIsSaid) {
  Json Reply = check("def forward(self, x: Tensor) -> Tensor:\n    return torch.argmax(x)\n",
                     {{"inputs", {normal("x", {8, 8})}}});
  for (const char *Name :
       {"constant", "permuted", "half", "first_half", "first_slice", "row_mean", "input_copy"})
    EXPECT_EQ(statesOf(Reply, Name), "0 not_applicable, ") << Name;
  Reply = check("def forward(self, x: Tensor) -> Tensor:\n    return x.clone()\n",
                {{"inputs", {normal("x", {8, 8})}}});
  EXPECT_EQ(statesOf(Reply, "input_copy"), "0 equal, ");
}

TEST_F(ReferenceTest, AnEmptyOutputIsRefused) {
  try {
    check("def forward(self, x: Tensor) -> Tensor:\n    return x[:0]\n",
          {{"inputs", {normal("x", {8})}}});
    FAIL();
  } catch (const WorkerError &E) {
    EXPECT_STREQ(E.what(), "the reference returns an empty tensor, of the shape [0]: there is "
                           "nothing to compare");
  }
}

TEST_F(ReferenceTest, OutputsAreDense) {
  for (const char *Layout : {"x.to_sparse()", "torch.to_mkldnn(x)"})
    try {
      check((std::string("def forward(self, x: Tensor) -> Tensor:\n    return ") + Layout).c_str(),
            {{"inputs", {normal("x", {8, 8})}}});
      FAIL() << Layout;
    } catch (const WorkerError &E) {
      EXPECT_EQ(E.Code, "reference-failed");
      EXPECT_NE(std::string(E.what()).find("outputs are dense"), std::string::npos) << E.what();
    }
}

TEST_F(ReferenceTest, AnInputThatGetsAnotherShape) {
  for (const char *Change : {"x.unsqueeze_(0)", "x.t_()"}) {
    Json Reply = check((std::string("def forward(self, x: Tensor) -> Tensor:\n    ") + Change +
                        "\n    return torch.relu(x)\n")
                           .c_str(),
                       {{"inputs", {normal("x", {8, 8})}}});
    EXPECT_EQ(Reply["inputs_changed"], Json({"x"})) << Change;
  }
}

TEST_F(ReferenceTest, HalfPrecisionThatOverflowsSaysNothing) {
  Json Reply = check("def forward(self, x: Tensor) -> Tensor:\n    return x * 1e6\n",
                     {{"inputs", {normal("x", {8, 8})}}});
  EXPECT_EQ(statesOf(Reply, "half"), "0 not_applicable, ");
}

TEST_F(ReferenceTest, ADTypeThatTheReferenceNames) {
  Json Case = {{"inputs", {normal("x", {8, 8})}}};
  Json Reply =
      check("def forward(self, x: Tensor) -> Tensor:\n    return x.half().to(x.dtype)\n", Case);
  EXPECT_EQ(Reply["named_dtypes"], Json({"aten::to gives float16"}));
  Reply = check("def forward(self, x: Tensor) -> Tensor:\n    return x.to(6) * 2.0\n", Case);
  EXPECT_EQ(Reply["named_dtypes"], Json({"aten::to gives float32", "aten::mul gives float32"}));
  // Without a dtype a tensor follows the run.
  Reply =
      check("def forward(self, x: Tensor) -> Tensor:\n    return x + torch.full([8], 0.1)\n", Case);
  EXPECT_EQ(Reply["named_dtypes"], Json::array());
}

TEST_F(ReferenceTest, MemoryAtAnySize) {
  constexpr int64_t GiB = int64_t(1) << 30;
  Json Case = {{"inputs", {normal("x", {1 << 14, 1 << 14})}}, {"parameters", Json::array()}};
  auto Peak = [&](const char *Source) {
    return estimateMemory(Reference("torchscript", Source, {}), parseCase(Case));
  };
  Json Reply = Peak("def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(x)\n");
  EXPECT_EQ(Reply["tensor_bytes"], GiB);
  EXPECT_EQ(Reply["peak_bytes"], 2 * GiB);
  // x * 2 is gone when the sum is there; x, x * 2 and the exponential are there together.
  Reply = Peak("def forward(self, x: Tensor) -> Tensor:\n"
               "    return torch.sum(torch.exp(x * 2.0), 1)\n");
  EXPECT_EQ(Reply["peak_bytes"], 3 * GiB);
  Reply = Peak("def forward(self, x: Tensor) -> Tensor:\n    return x * float(x.sum())\n");
  EXPECT_EQ(Reply["peak_bytes"], nullptr);
  EXPECT_NE(Reply["reason"].get<std::string>().find("looks at values"), std::string::npos) << Reply;
}
