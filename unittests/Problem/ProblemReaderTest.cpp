//===- ProblemReaderTest.cpp - every mistake has its message ----------------===//

#include "cupel/Problem/ProblemReader.h"
#include "ProblemText.h"
#include "llvm/Support/raw_ostream.h"

using namespace cupel;

namespace {

/// All messages for \p Text, a line each; empty when it is valid.
std::string messages(const std::string &Text) {
  llvm::Expected<ProblemSpec> Spec = parseProblem(Text, "p.toml");
  if (Spec)
    return "";
  std::string Result;
  llvm::raw_string_ostream OS(Result);
  reportErrors(Spec.takeError(), OS);
  return Result;
}

std::string afterChange(const std::string &Old, const std::string &New) {
  return messages(withChange(Old, New));
}

/// What one line that replaces another leads to.
struct Mistake {
  const char *Old, *New, *Message;
};

class OneMistake : public testing::TestWithParam<Mistake> {};

TEST_P(OneMistake, IsTheOnlyMessage) {
  EXPECT_EQ(afterChange(GetParam().Old, GetParam().New), std::string(GetParam().Message) + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Keys, OneMistake,
    testing::Values(
        Mistake{"tags =", "tgas =",
                "p.toml:4:1: error: problem: unknown key 'tgas'; did you mean 'tags'?"},
        Mistake{"[cost]", "[const]",
                "p.toml:40:2: error: unknown key 'const'; did you mean 'cost'?"},
        Mistake{"level = 1", "level = 1\nwhatever = 2",
                "p.toml:4:1: error: problem: unknown key 'whatever'; known: name, level, id, tags"},
        Mistake{"name = \"Scaled ReLU\"", "", "p.toml:1:1: error: problem: missing key 'name'"},
        Mistake{"name = \"Scaled ReLU\"", "name = 3",
                "p.toml:2:8: error: problem.name: expected a string, found an integer"},
        Mistake{"level = 1", "level = \"one\"",
                "p.toml:3:9: error: problem.level: expected an integer, found a string"},
        Mistake{"level = 1", "level = 7",
                "p.toml:3:9: error: problem.level: a level is from 0 to 4, not 7"},
        Mistake{"level = 1", "id = 0",
                "p.toml:3:6: error: problem.id: an id is a row in KernelBench's level, from 1"},
        Mistake{"tags = [\"activation\"]", "tags = [\"a\", 1]",
                "p.toml:4:14: error: problem.tags[1]: expected a string, found an integer"},
        Mistake{"tags = [\"activation\"]", "tags = \"a\"",
                "p.toml:4:8: error: problem.tags: expected an array, found a string"},
        Mistake{"[cost]\nflops = \"2 * batch * dim\"\n", "cost = 1979-05-27\n",
                "p.toml:40:1: error: case[1]: unknown key 'cost'; known: name, role, sizes, "
                "init"}),
    [](const auto &Info) { return "Case" + std::to_string(Info.index); });

INSTANTIATE_TEST_SUITE_P(
    Tensors, OneMistake,
    testing::Values(
        Mistake{"name = \"x\"\ndtype = \"float32\"", "name = \"x\"\ndtype = \"flaot32\"",
                "p.toml:14:9: error: input[0].dtype: unknown dtype 'flaot32'; did you mean "
                "'float32'?"},
        Mistake{"name = \"x\"\ndtype = \"float32\"", "name = \"x\"",
                "p.toml:12:1: error: input[0]: missing key 'dtype'"},
        Mistake{"shape = [\"batch\", \"2 * dim\"]\n", "",
                "p.toml:12:1: error: input[0]: missing key 'shape'"},
        Mistake{"shape = [\"batch\", \"2 * dim\"]", "shape = 3",
                "p.toml:15:9: error: input[0].shape: expected an array, found an integer"},
        Mistake{"shape = [\"batch\", \"2 * dim\"]", "shape = [\"batch\", 2.5]",
                "p.toml:15:19: error: input[0].shape[1]: expected an integer or a string with an "
                "expression, found a number with a point"},
        Mistake{"shape = [\"batch\", \"2 * dim\"]", "shape = [\"batch\", \"2 *\"]",
                "p.toml:15:19: error: input[0].shape[1]: expected a number, a size name or '(' at "
                "column 4 of '2 *'"},
        Mistake{"shape = [\"batch\", \"2 * dim\"]", "shape = [\"bacth\", \"batch * dim\"]",
                "p.toml:15:10: error: input[0].shape[0]: no case gives the size 'bacth'; did you "
                "mean 'batch'?"},
        Mistake{"shape = [\"batch\", \"2 * dim\"]", "shape = [\"batch\", \"dim - 7\"]",
                "p.toml:15:19: error: input[0].shape[1]: in case 'ragged': a dimension is at least "
                "1, not 0"},
        Mistake{"shape = [\"batch\", \"2 * dim\"]", "shape = [\"batch\", \"2 * dim\", -4]",
                "p.toml:15:30: error: input[0].shape[2]: in case 'benchmark': a dimension is at "
                "least 1, not -4\n"
                "p.toml:15:30: error: input[0].shape[2]: in case 'ragged': a dimension is at least "
                "1, not -4"},
        Mistake{"shape = [\"batch\", \"2 * dim\"]", "shape = [\"batch / (dim - 64)\", 2]",
                "p.toml:15:10: error: input[0].shape[0]: in case 'benchmark': division by zero\n"
                "p.toml:15:10: error: input[0].shape[0]: in case 'ragged': a dimension is at least "
                "1, not -1"},
        Mistake{"name = \"x\"\n", "name = \"2x\"\n",
                "p.toml:13:8: error: input[0].name: '2x' is no identifier (letters, digits and "
                "'_', not a keyword)"},
        Mistake{"name = \"weight\"", "name = \"x\"",
                "p.toml:9:27: error: reference.source: no [[parameter]] for 'self.weight'; known: "
                "x\n"
                "p.toml:24:8: error: parameter[0].name: 'x' is the name of input[0] already\n"
                "p.toml:24:8: error: parameter[0]: the reference never reads 'self.x'"},
        Mistake{"scalar = \"float\"", "scalar = \"flot\"",
                "p.toml:20:10: error: input[1].scalar: unknown scalar type 'flot'; did you mean "
                "'float'?"},
        Mistake{"value = 3.5", "value = true",
                "p.toml:21:9: error: input[1].value: expected a value of type float, found true or "
                "false"},
        Mistake{"value = 3.5", "value = nan",
                "p.toml:21:9: error: input[1].value: the value is not a finite number"},
        Mistake{"value = 3.5", "value = -9007199254740993",
                "p.toml:21:9: error: input[1].value: a whole number here lies between -2^53 and "
                "2^53"},
        Mistake{"value = 3.5", "", "p.toml:18:1: error: input[1]: missing key 'value'"}),
    [](const auto &Info) { return "Case" + std::to_string(Info.index); });

INSTANTIATE_TEST_SUITE_P(
    Init, OneMistake,
    testing::Values(
        Mistake{"kind = \"normal\"", "kind = \"nromal\"",
                "p.toml:16:17: error: input[0].init.kind: unknown kind 'nromal'; did you mean "
                "'normal'?"},
        Mistake{"mean = 0.0, std = 1.0", "mean = 0.0",
                "p.toml:16:8: error: input[0].init: missing key 'std'"},
        Mistake{"mean = 0.0, std = 1.0", "mean = 0.0, std = 1.0, low = 2",
                "p.toml:16:50: error: input[0].init: unknown key 'low'; known: kind, mean, std, "
                "transform"},
        Mistake{"mean = 0.0, std = 1.0", "mean = 0.0, std = -1",
                "p.toml:16:8: error: input[0].init: 'std' is above 0; for equal values use the "
                "kind 'constant'"},
        Mistake{"kind = \"normal\", mean = 0.0, std = 1.0",
                "kind = \"integers\", low = -9007199254740992, high = 9007199254740992",
                "p.toml:16:8: error: input[0].init: 'low' and 'high' of 'integers' lie between "
                "-2^53 and 2^53"},
        Mistake{"dtype = \"float32\"\nshape = [\"2 * dim\"]\ninit = { kind = \"uniform\", low = 0, "
                "high = 1, transform = \"uneven\" }",
                "dtype = \"int64\"\nshape = [\"2 * dim\"]\ninit = { kind = \"constant\", "
                "value = 9007199254740992 }",
                "p.toml:27:8: error: parameter[0].init: 'value' does not lie between -2^53 and "
                "2^53"},
        Mistake{
            "mean = 0.0, std = 1.0", "mean = 9007199254740993, std = 1",
            "p.toml:16:34: error: input[0].init.mean: a whole number here lies between -2^53 and "
            "2^53"},
        Mistake{
            "low = 0, high = 1", "low = -3e38, high = 3e38",
            "p.toml:27:8: error: parameter[0].init: from 'low' to 'high' it is more than the dtype "
            "float32 holds"},
        Mistake{"mean = 0.0, std = 1.0", "mean = nan, std = 1",
                "p.toml:16:8: error: input[0].init: 'mean' is not a finite number"},
        Mistake{"low = 0, high = 1", "low = 1, high = 1",
                "p.toml:27:8: error: parameter[0].init: 'low' (1) is not below 'high' (1)"},
        Mistake{"low = 0, high = 1", "low = 0, high = 1e39",
                "p.toml:27:8: error: parameter[0].init: values from 0 to 1e+39 do not fit dtype "
                "float32"},
        Mistake{"transform = \"uneven\"", "transform = [\"unevn\"]",
                "p.toml:27:59: error: parameter[0].init.transform: unknown transform 'unevn'; did "
                "you mean 'uneven'?"},
        Mistake{
            "transform = \"uneven\"", "transform = \"symmetric\"",
            "p.toml:27:8: error: parameter[0].init: the transform 'symmetric' needs a tensor of "
            "two or more dimensions"},
        Mistake{"mean = 0.0, std = 1.0", "mean = 0.0, std = 1.0, transform = \"symmetric\"",
                "p.toml:16:8: error: input[0].init: in case 'benchmark' the last two dimensions "
                "differ; the transform 'symmetric' needs equal ones"},
        Mistake{"value = 2", "value = 2, transform = \"symmetric\"",
                "p.toml:38:10: error: case[1].init.x: in case 'ragged' the last two dimensions "
                "differ; the transform 'symmetric' needs equal ones"},
        Mistake{
            "value = 2", "value = 2, transform = [\"equal_rows\", \"sparse\", \"special_vales\"]",
            "p.toml:38:58: error: case[1].init.x.transform: unknown transform 'special_vales'; did "
            "you mean 'special_values'?"},
        Mistake{
            "shape = [\"2 * dim\"]\ninit = { kind = \"uniform\", low = 0, high = 1, "
            "transform = \"uneven\" }",
            "shape = []\ninit = { kind = \"uniform\", low = 0, high = 1, "
            "transform = [\"special_values\", \"sparse\"] }",
            "p.toml:27:8: error: parameter[0].init: the transform 'sparse' needs a tensor of one "
            "or more dimensions"},
        Mistake{"role = [\"check\"]\nsizes = { batch = 3, dim = 7 }\n"
                "init = { x = { kind = \"constant\", value = 2 } }",
                "role = [\"check\"]\nsizes = { batch = 1, dim = 7 }\n"
                "init = { x = { kind = \"constant\", value = 2, transform = \"equal_rows\" } }",
                "p.toml:38:10: error: case[1].init.x: in case 'ragged' there is one row; the "
                "transform 'equal_rows' needs two or more"},
        Mistake{
            "init = { x = { kind = \"constant\", value = 2 } }",
            "init = { weight = { kind = \"constant\", value = 2, transform = \"symmetric\" } }",
            "p.toml:38:19: error: case[1].init.weight: the transform 'symmetric' needs a tensor "
            "of two or more dimensions"},
        Mistake{"init = { kind = \"normal\", mean = 0.0, std = 1.0 }", "init = \"normal\"",
                "p.toml:16:8: error: input[0].init: expected a table, found a string"},
        Mistake{"init = { kind = \"normal\", mean = 0.0, std = 1.0 }\n", "",
                "p.toml:12:1: error: input[0]: missing key 'init'"},
        Mistake{"kind = \"constant\", value = 2", "kind = \"bernoulli\", p = 2",
                "p.toml:38:14: error: case[1].init.x: 'p' is a probability, from 0 to 1"},
        Mistake{"init = { x =", "init = { y =",
                "p.toml:38:10: error: case[1].init: no input or parameter 'y'; known: x, weight"},
        Mistake{"kind = \"constant\", value = 2", "kind = \"log_uniform\", low = 0, high = 2",
                "p.toml:38:14: error: case[1].init.x: 'low' of 'log_uniform' is above 0"},
        Mistake{"kind = \"constant\", value = 2", "kind = \"integers\", low = 0.5, high = 2",
                "p.toml:38:14: error: case[1].init.x: 'low' and 'high' of 'integers' are whole "
                "numbers"},
        Mistake{"kind = \"constant\", value = 2", "kind = \"kaiming_normal\", gain = 0",
                "p.toml:38:14: error: case[1].init.x: 'gain' is above 0"}),
    [](const auto &Info) { return "Case" + std::to_string(Info.index); });

INSTANTIATE_TEST_SUITE_P(
    Cases, OneMistake,
    testing::Values(
        Mistake{"role = [\"check\"]", "role = [\"chek\"]",
                "p.toml:36:9: error: case[1].role: unknown role 'chek'; did you mean 'check'?"},
        Mistake{"role = [\"check\"]\n", "", "p.toml:34:1: error: case[1]: missing key 'role'"},
        Mistake{"name = \"ragged\"", "name = \"benchmark\"",
                "p.toml:34:1: error: case[1].name: 'benchmark' is the name of case[0] already"},
        Mistake{"name = \"ragged\"", "name = \"rag ged\"",
                "p.toml:35:8: error: case[1].name: 'rag ged' has other characters than letters, "
                "digits, '_', '-', '.'"},
        Mistake{"batch = 3, dim = 7", "batch = 3, dim = 7, din = 3",
                "p.toml:37:31: error: case[1].sizes: no shape uses the size 'din'; did you mean "
                "'dim'?"},
        Mistake{"batch = 3, dim = 7", "batch = 3",
                "p.toml:37:9: error: case[1].sizes: missing size 'dim'"},
        Mistake{"batch = 3, dim = 7", "batch = 0, dim = 7",
                "p.toml:37:19: error: case[1].sizes.batch: a size is at least 1, not 0"},
        Mistake{"batch = 3, dim = 7", "batch = 3.0, dim = 7",
                "p.toml:37:19: error: case[1].sizes.batch: expected an integer, found a number "
                "with a point"},
        Mistake{"batch = 16, dim = 64", "batch = 4000000, dim = 4000000",
                "p.toml:29:1: error: case[0]: inputs and parameters take 116 TiB; more than 1 TiB "
                "is taken for a mistake"}),
    [](const auto &Info) { return "Case" + std::to_string(Info.index); });

INSTANTIATE_TEST_SUITE_P(
    Reference, OneMistake,
    testing::Values(
        Mistake{"def forward", "def forwards",
                "p.toml:8:1: error: reference.source: no 'def forward(self, ...)' in the "
                "reference"},
        Mistake{"(self, x: Tensor, s: float)", "(self, s: float, x: Tensor)",
                "p.toml:8:19: error: reference.source: argument 1 of forward is 's', but input[0] "
                "is 'x'; names and order must agree\n"
                "p.toml:8:29: error: reference.source: argument 2 of forward is 'x', but input[1] "
                "is 's'; names and order must agree"},
        Mistake{"(self, x: Tensor, s: float)", "(self, x: Tensor, s)",
                "p.toml:8:30: error: reference.source: write 's: float', since the input is a "
                "number"},
        Mistake{"(self, x: Tensor, s: float)", "(self, x: Tensor)",
                "p.toml:8:1: error: reference.source: forward has no argument for the input 's'"},
        Mistake{"(self, x: Tensor, s: float)", "(self, x: Tensor, s: float, z: Tensor)",
                "p.toml:8:40: error: reference.source: no [[input]] for the argument 'z' of "
                "forward"},
        Mistake{"self.weight", "self.wieght",
                "p.toml:9:27: error: reference.source: no [[parameter]] for 'self.wieght'; did you "
                "mean 'weight'?\n"
                "p.toml:24:8: error: parameter[0]: the reference never reads 'self.weight'"},
        Mistake{"[reference]\n", "[reference]\nlanguage = \"torchscrip\"\n",
                "p.toml:7:12: error: reference.language: unknown language 'torchscrip'; did you "
                "mean 'torchscript'?"}),
    [](const auto &Info) { return "Case" + std::to_string(Info.index); });

INSTANTIATE_TEST_SUITE_P(
    Rest, OneMistake,
    testing::Values(
        Mistake{"[cost]", "[entry]\narguments = [\"x\", \"s\", \"wight\", \"x\"]\n[cost]",
                "p.toml:41:14: error: entry.arguments: 'weight' is missing\n"
                "p.toml:41:24: error: entry.arguments: no input or parameter 'wight'; did you mean "
                "'weight'?\n"
                "p.toml:41:33: error: entry.arguments: 'x' is there twice"},
        Mistake{"[cost]", "[entry]\nname = \"a b\"\n[cost]",
                "p.toml:41:8: error: entry.name: 'a b' is no identifier"},
        Mistake{"[cost]", "[tolerance]\nrelative = 1\nabsolute = -1\n[cost]",
                "p.toml:41:12: error: tolerance.relative: a relative tolerance is at least 0 and "
                "below 1\n"
                "p.toml:42:12: error: tolerance.absolute: an absolute tolerance is finite and at "
                "least 0"},
        Mistake{"[cost]", "[policy]\npreset = \"partal\"\n[cost]",
                "p.toml:41:10: error: policy.preset: unknown preset 'partal'; did you mean "
                "'partial'?"},
        Mistake{"[cost]", "[policy]\nlibraries = [\"cublass\"]\n[cost]",
                "p.toml:41:13: error: policy.libraries: unknown library 'cublass'; did you mean "
                "'cublas'?"},
        Mistake{"[cost]", "[policy]\noperators = [\"bmm\"]\n[cost]",
                "p.toml:41:14: error: policy.operators: 'bmm' is no operator; write it with its "
                "namespace, as 'aten::bmm'"},
        Mistake{"flops = \"2 * batch * dim\"", "flops = \"2 * bach\"",
                "p.toml:41:9: error: cost.flops: no case gives the size 'bach'; did you mean "
                "'batch'?"},
        Mistake{"flops = \"2 * batch * dim\"", "flops = \"2 *\"",
                "p.toml:41:9: error: cost.flops: expected a number, a size name or '(' at column 4 "
                "of '2 *'"},
        Mistake{"flops = \"2 * batch * dim\"", "flops = \"dim - 10\"",
                "p.toml:41:9: error: cost.flops: in case 'ragged' it is below 0"},
        Mistake{"flops = \"2 * batch * dim\"", "flops = 3",
                "p.toml:41:9: error: cost.flops: expected a string, found an integer"}),
    [](const auto &Info) { return "Case" + std::to_string(Info.index); });

TEST(ProblemReader, ManyMistakesInOneGoAndInOrder) {
  EXPECT_EQ(
      messages("[problem]\nlevel = 1\n[[input]]\nname = 'x'\ndtype = 'flaot'\n"
               "shape = ['n']\ninit = { kind = 'uniform' }\n[[case]]\nname = 'a'\n"
               "role = ['check']\nsizes = { n = 0 }\n"),
      "p.toml:1:1: error: missing key 'reference'\n"
      "p.toml:1:1: error: problem: missing key 'name'\n"
      "p.toml:5:9: error: input[0].dtype: unknown dtype 'flaot'; known: float64, float32, float16, "
      "bfloat16, int64, int32, int16, int8, uint8, bool\n"
      "p.toml:7:8: error: input[0].init: missing key 'high'\n"
      "p.toml:7:8: error: input[0].init: missing key 'low'\n"
      "p.toml:11:15: error: case[0].sizes.n: a size is at least 1, not 0\n");
}

TEST(ProblemReader, NoTomlAtAll) {
  EXPECT_EQ(messages(""), "p.toml:1:1: error: the file is empty\n");
  EXPECT_EQ(messages(" \n\n"), "p.toml:1:1: error: the file is empty\n");
  EXPECT_NE(messages("[problem\nname = 1").find("p.toml:1:9: error: not TOML: "),
            std::string::npos);
  EXPECT_NE(messages("a = 1\na = 2").find("p.toml:2:5: error: not TOML: "), std::string::npos);
  EXPECT_NE(messages("a = \"\xff\"").find("p.toml:1:5: error: not TOML: "), std::string::npos);
  // toml++ asserts that a key follows the bracket.
  EXPECT_NE(messages("[=]").find("p.toml:1:2: error: not TOML: "), std::string::npos);
  EXPECT_NE(messages("[[ ?").find("p.toml:1:4: error: not TOML: "), std::string::npos);
  EXPECT_NE(messages("a = " + std::string(5000, '[')).find("error: not TOML: "), std::string::npos);
}

TEST(ProblemReader, SectionsOfTheWrongType) {
  EXPECT_EQ(messages("problem = 3\nreference = []\n[input]\nname = 'x'\n[case]\nname = 'c'\n"),
            "p.toml:1:11: error: problem: expected a table, found an integer\n"
            "p.toml:2:13: error: reference: expected a table, found an array\n"
            "p.toml:3:1: error: input: expected tables '[[input]]', found a table\n"
            "p.toml:5:1: error: case: expected tables '[[case]]', found a table\n");
}

TEST(ProblemReader, NeedsInputsAndACheckCase) {
  EXPECT_EQ(messages("[problem]\nname = 'p'\n[reference]\nsource = 'def forward(self): return 1'\n"
                     "[[case]]\nname = 'c'\nrole = ['benchmark']\n"),
            "p.toml:1:1: error: no [[case]] has the role 'check': nothing would be compared\n"
            "p.toml:1:1: error: no [[input]]: a problem has at least one\n");
}

TEST(ProblemReader, ACheckCaseAloneIsEnough) {
  EXPECT_EQ(afterChange("[\"check\", \"benchmark\"]", "[]"), "");
  EXPECT_EQ(llvm::cantFail(parseProblem(withChange("[\"check\", \"benchmark\"]", "[]"), "p.toml"))
                .benchmarkCase(),
            nullptr);
}

TEST(ProblemReader, IntegerDTypesTakeWholeNumbers) {
  auto With = [](const std::string &DType, const std::string &Init) {
    return afterChange("name = \"x\"\ndtype = \"float32\"\nshape = [\"batch\", \"2 * dim\"]\n"
                       "init = { kind = \"normal\", mean = 0.0, std = 1.0 }",
                       "name = \"x\"\ndtype = \"" + DType +
                           "\"\nshape = [\"batch\", \"2 * dim\"]\ninit = { " + Init + " }");
  };
  EXPECT_EQ(With("int64", "kind = \"integers\", low = 0, high = 10"), "");
  EXPECT_EQ(With("int64", "kind = \"uniform\", low = 0, high = 10"),
            "p.toml:16:8: error: input[0].init: the kind 'uniform' makes no values of dtype "
            "int64\n");
  EXPECT_EQ(With("int8", "kind = \"integers\", low = 0, high = 500"),
            "p.toml:16:8: error: input[0].init: values from 0 to 499 do not fit dtype int8\n");
  EXPECT_EQ(With("int8", "kind = \"permutation\""),
            "p.toml:16:8: error: input[0].init: in case 'benchmark' the values do not fit dtype "
            "int8\n");
  EXPECT_EQ(With("int32", "kind = \"arange\", step = 0.5"),
            "p.toml:16:8: error: input[0].init: 'step' is 0.5; dtype int32 takes whole numbers\n");
  EXPECT_EQ(With("int32", "kind = \"sign\", transform = \"softmax\""),
            "p.toml:16:8: error: input[0].init: a transform needs a real dtype, not int32\n");
}

TEST(ProblemReader, DistributionsOfACase) {
  EXPECT_EQ(afterChange("value = 2", "value = 2, transform = [\"equal_rows\", \"special_values\", "
                                     "\"sparse\"]"),
            "");
  std::string Text =
      withChange("name = \"x\"\ndtype = \"float32\"", "name = \"x\"\ndtype = \"int32\"");
  const std::string Normal = "kind = \"normal\", mean = 0.0, std = 1.0";
  Text.replace(Text.find(Normal), Normal.size(), "kind = \"constant\", value = 1");
  for (const char *Transform : {"sparse", "equal_rows", "special_values"}) {
    std::string Changed = Text;
    Changed.replace(Changed.find("value = 2"), 9,
                    "value = 2, transform = \"" + std::string(Transform) + "\"");
    EXPECT_EQ(messages(Changed),
              "p.toml:38:14: error: case[1].init.x: a transform needs a real dtype, not int32\n");
  }
}

TEST(ProblemReader, WithoutEffect) {
  std::string Text =
      withChange("shape = [\"2 * dim\"]\n", "shape = [\"2 * dim\"]\nwithout_effect = true\n");
  ProblemNotes Notes;
  EXPECT_TRUE(static_cast<bool>(parseProblem(Text, "p.toml", &Notes)));
  EXPECT_EQ(Notes.WithoutEffect, std::vector<std::string>{"weight"});
  // What is without effect need not be read either.
  size_t At = Text.find(" * self.weight");
  EXPECT_EQ(messages(Text.replace(At, 14, "")), "");
  EXPECT_EQ(afterChange("value = 3.5", "value = 3.5\nwithout_effect = 1"),
            "p.toml:22:18: error: input[1].without_effect: expected true or false, found an "
            "integer\n");
}

TEST(ProblemReader, AReferenceNamesNoRealDType) {
  EXPECT_EQ(afterChange("torch.relu(x * self.weight)", "torch.relu(x.half() * self.weight)"),
            "p.toml:9:24: error: reference.source: '.half()' names a real dtype; the reference "
            "also runs in float64, so follow the inputs: x.to(y.dtype), x.type_as(y)\n");
}

TEST(ProblemReader, PythonReferencesAreReadLightly) {
  std::string Text = withChange("[reference]\n", "[reference]\nlanguage = \"python\"\n");
  size_t At = Text.find("self.weight");
  EXPECT_EQ(messages(Text.replace(At, 11, "self.layer1")), "");
}

TEST(ProblemReader, PlacesInAReferenceOnOneLine) {
  EXPECT_EQ(afterChange("'''\ndef forward(self, x: Tensor, s: float) -> Tensor:\n"
                        "    return torch.relu(x * self.weight) * s\n'''",
                        "\"def forward(self, y, s: float): return y * self.weight\\n\""),
            "p.toml:7:10: error: reference.source: argument 1 of forward is 'y', but input[0] is "
            "'x'; names and order must agree\n");
  EXPECT_EQ(afterChange("'''\ndef forward", "'''def  backward"),
            "p.toml:7:13: error: reference.source: no 'def forward(self, ...)' in the reference\n");
}

TEST(ProblemReader, ControlCharactersAreNotPrinted) {
  EXPECT_EQ(afterChange("tags =", "\"\\u001b[31m\" ="),
            "p.toml:4:1: error: problem: unknown key '\\x1b[31m'; known: name, level, id, tags\n");
}

} // namespace
