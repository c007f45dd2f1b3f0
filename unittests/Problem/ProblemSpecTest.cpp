//===- ProblemSpecTest.cpp --------------------------------------------------===//

#include "ProblemText.h"
#include "cupel/Problem/ProblemReader.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cupel;

namespace {

ProblemSpec validSpec() { return llvm::cantFail(parseProblem(ValidProblem, "p.toml")); }

std::string print(const llvm::json::Value &Value) { return llvm::formatv("{0}", Value); }

TEST(ProblemSpec, FieldsOfAValidProblem) {
  ProblemSpec Spec = validSpec();
  EXPECT_EQ(Spec.Name, "Scaled ReLU");
  EXPECT_EQ(Spec.Level, 1);
  EXPECT_EQ(Spec.Id, "p.toml");
  EXPECT_EQ(Spec.ReferencePlace.Line, 8u);
  ASSERT_EQ(Spec.Inputs.size(), 2u);
  EXPECT_EQ(Spec.Inputs[1].Scalar->Value, 3.5);
  EXPECT_TRUE(Spec.Parameters[0].IsParameter);
  EXPECT_EQ(Spec.Parameters[0].Init.Transforms, std::vector<std::string>{"uneven"});
  EXPECT_EQ(Spec.EntryArguments, (std::vector<std::string>{"x", "s", "weight"}));
  EXPECT_EQ(Spec.Policy.Preset, "strict");
  EXPECT_EQ(Spec.benchmarkCase(), &Spec.Cases[0]);
  EXPECT_EQ(Spec.findCase("ragged"), &Spec.Cases[1]);
  EXPECT_EQ(Spec.findCase("no"), nullptr);
}

TEST(ProblemSpec, ShapesAndBytesOfACase) {
  ProblemSpec Spec = validSpec();
  EXPECT_EQ(shapeOf(*Spec.Inputs[0].Tensor, Spec.Cases[1]), (std::vector<int64_t>{3, 14}));
  EXPECT_EQ(tensorBytes(Spec, Spec.Cases[1]), 4u * (3 * 14 + 14));
  EXPECT_EQ(initOf(*Spec.Inputs[0].Tensor, Spec.Cases[0]).Kind, "normal");
  EXPECT_EQ(initOf(*Spec.Inputs[0].Tensor, Spec.Cases[1]).Kind, "constant");
}

TEST(ProblemSpec, CaseAsTheWorkerTakesIt) {
  ProblemSpec Spec = validSpec();
  EXPECT_EQ(print(toJson(Spec, Spec.Cases[1])),
            R"({"inputs":[{"dtype":"float32","init":{"kind":"constant","value":2},"name":"x",)"
            R"("shape":[3,14]},{"name":"s","scalar":"float","value":3.5}],"name":"ragged",)"
            R"("parameters":[{"dtype":"float32","init":{"high":1,"kind":"uniform","low":0,)"
            R"("transform":["uneven"]},"name":"weight","shape":[14]}]})");
}

TEST(ProblemSpec, WholeNumbersStayExact) {
  for (const char *Number : {"9007199254740993", "9223372036854775807", "-9223372036854775808"}) {
    std::string Text = withChange("scalar = \"float\"\nvalue = 3.5",
                                  std::string("scalar = \"int\"\nvalue = ") + Number);
    Text.replace(Text.find("s: float"), 8, "s: int");
    ProblemSpec Spec = llvm::cantFail(parseProblem(Text, "p.toml"));
    EXPECT_NE(print(toJson(Spec, Spec.Cases[0])).find(std::string(":") + Number + "}"),
              std::string::npos)
        << print(toJson(Spec, Spec.Cases[0]));
  }
}

TEST(ProblemSpec, WholeProblemAsJson) {
  llvm::json::Value Json = toJson(validSpec());
  const llvm::json::Object &Root = *Json.getAsObject();
  EXPECT_EQ(print(*Root.get("cost")), R"({"bytes":null,"flops":"2 * batch * dim"})");
  EXPECT_EQ(print(*Root.get("entry")), R"({"arguments":["x","s","weight"],"name":""})");
  EXPECT_EQ(print(*Root.get("tolerance")), R"({"absolute":null,"relative":null})");
  EXPECT_EQ(print(*(*Root.getArray("cases"))[1].getAsObject()->get("sizes")),
            R"({"batch":3,"dim":7})");
  EXPECT_EQ(print(*(*Root.getArray("parameters"))[0].getAsObject()->get("shape")),
            R"(["2 * dim"])");
}

} // namespace
