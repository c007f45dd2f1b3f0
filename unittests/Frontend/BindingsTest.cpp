//===- BindingsTest.cpp - bound functions and their signatures --------------===//
//
// With stand-ins for torch's types, so that no torch is needed; TorchTest.cpp has the real ones.
//
//===----------------------------------------------------------------------===//

#include "TestParse.h"
#include "clang/AST/Decl.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cupel;

namespace {

constexpr llvm::StringLiteral Types = R"(
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>
namespace c10 {
enum class ScalarType : char { Float };
class Scalar {};
template <class T> class ArrayRef {};
} // namespace c10
namespace at { class Tensor {}; }
namespace torch { using at::Tensor;
class Library { public: template <class... A> Library &def(A &&...) { return *this; } template <class... A> Library &impl(A &&...) { return *this; } };
}
namespace pybind11 {
struct arg_v;
struct arg { explicit arg(const char *); template <class T> arg_v operator=(T &&) const; };
struct arg_v : arg { using arg::arg; template <class T> arg_v(const char *, T &&); };
struct none {};
class module_ { public: template <class F, class... E> module_ &def(const char *, F &&, const E &...) { return *this; } };
}
namespace py = pybind11;
)";

class BindingsTest : public ParseFixture {
protected:
  ParsedSubmission bind(llvm::StringRef Text) { return parse((Types + Text).str()); }

  /// `name=function:type` of each entry.
  std::vector<std::string> entries(llvm::StringRef Text) {
    ParsedSubmission S = bind(Text);
    EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
    std::vector<std::string> Found;
    for (const EntrySignature &E : S.Entries)
      Found.push_back(E.BoundName + "=" + E.QualifiedName + E.LambdaSource + ":" + E.FunctionType);
    EXPECT_EQ(S.Entries.size(), S.EntryFunctions.size());
    return Found;
  }
  using Strings = std::vector<std::string>;
};

TEST_F(BindingsTest, EveryShapeOfDef) {
  EXPECT_EQ(entries(R"(
at::Tensor plain(torch::Tensor x) { return x; }
static at::Tensor hidden(const at::Tensor &x, double eps) { return x; }
namespace ns { at::Tensor inner(at::Tensor x) { return x; } }
at::Tensor many(at::Tensor x) { return x; }
at::Tensor many(at::Tensor x, int n) { return x; }
template <class T> at::Tensor typed(at::Tensor x) { return x; }
#define BIND(name) m.def(#name, &name)
void bind(py::module_ &m) {
  m.def("a", &plain, "doc").def("b", hidden);
  m.def("c", ns::inner);
  m.def("d", static_cast<at::Tensor (*)(at::Tensor, int)>(&many));
  m.def("e", [](torch::Tensor x) { return plain(x); });
  m.def("f", &typed<float>);
  auto held = &plain;
  m.def("g", held);
  BIND(plain);
  m.def("h", std::function<at::Tensor(at::Tensor)>(plain));
}
)"),
            (Strings{"a=plain:at::Tensor (at::Tensor)",
                     "b=hidden:at::Tensor (const at::Tensor &, double)",
                     "c=ns::inner:at::Tensor (at::Tensor)", "d=many:at::Tensor (at::Tensor, int)",
                     "e=:at::Tensor (at::Tensor)", "f=typed<float>:at::Tensor (at::Tensor)",
                     "g=plain:at::Tensor (at::Tensor)", "plain=plain:at::Tensor (at::Tensor)",
                     "h=plain:at::Tensor (at::Tensor)"}));
}

// Only where the text means the same behind the last line.
TEST_F(BindingsTest, LambdasThatCanStandElsewhere) {
  auto Text = [&](const std::string &Before, const std::string &Lambda,
                  const std::string &After = "") {
    return entries("at::Tensor f(at::Tensor x) { return x; }\n" + Before +
                   "void bind(py::module_ &m) {\n  m.def(\"a\", " + Lambda + ");\n}\n" + After);
  };
  const std::string Plain = "[](torch::Tensor x) { using T = int; T n = 1; return n ? f(x) : x; }";
  const std::string Type = ":at::Tensor (at::Tensor)";
  EXPECT_EQ(Text("", Plain), Strings{"a=" + Plain + Type});
  EXPECT_EQ(Text("#define CALL(x) f(x)\n", "[](torch::Tensor x) { return CALL(x); }"),
            Strings{"a=[](torch::Tensor x) { return CALL(x); }" + Type});
  const Strings None = {"a=" + Type};
  // What follows can take the name.
  EXPECT_EQ(Text("", Plain, "namespace at { Tensor f(Tensor &x) { return x; } }\n"), None);
  EXPECT_EQ(Text("", Plain, "#define f g\n"), None);
  EXPECT_EQ(Text("#define static\n", Plain), None);
  EXPECT_EQ(Text("", "[](torch::Tensor x) { int line = __LINE__; return line ? f(x) : x; }"), None);
  EXPECT_EQ(Text("", "[](torch::Tensor x) { return sizeof(m) ? f(x) : x; }"), None);
  EXPECT_EQ(Text("auto held = [](torch::Tensor x) { return f(x); };\n", "held"), None);
  EXPECT_EQ(Text("namespace n { at::Tensor f(torch::Tensor x); }\n",
                 Plain + "); { using n::f; } m.def(\"a\", f"),
            (Strings{"a=" + Type, "a=f" + Type}));
}

TEST_F(BindingsTest, KeywordsNameArguments) {
  ParsedSubmission S =
      bind("at::Tensor f(at::Tensor a, double b, int c = 1) { return a; }\n"
           "void bind(py::module_ &m) {\n"
           "  m.def(\"f\", &f, py::arg(\"x\"), py::arg(\"eps\") = 1e-5, py::arg(\"n\"));\n"
           "}\n");
  ASSERT_EQ(S.Entries.size(), 1u) << messagesOf(S);
  const std::vector<EntryArgument> &Arguments = S.Entries[0].Arguments;
  ASSERT_EQ(Arguments.size(), 3u);
  EXPECT_EQ(Arguments[0].Name, "x");
  EXPECT_FALSE(Arguments[0].HasDefault);
  EXPECT_EQ(Arguments[1].Name, "eps");
  // The binding's, not the function's: C++ cannot leave it out.
  EXPECT_FALSE(Arguments[1].HasDefault);
  EXPECT_EQ(Arguments[1].BoundDefault, llvm::json::Value(1e-5));
  EXPECT_TRUE(Arguments[2].HasDefault);
  EXPECT_EQ(Arguments[2].BoundDefault, std::nullopt);
}

TEST_F(BindingsTest, ConstantsAsDefaults) {
  ParsedSubmission S = bind(R"(
constexpr float kEps = 0.5f;
int number();
at::Tensor f(at::Tensor a, float b, float c, long d, bool e, bool g, long h, std::string i,
             std::optional<at::Tensor> j, std::optional<long> k, c10::ScalarType l, long m,
             at::Tensor n, double o) { return a; }
void bind(py::module_ &m) {
  m.def("f", &f, py::arg("a"), py::arg("b") = 2, py::arg("c") = kEps, py::arg("d") = -(1L << 40),
        py::arg("e") = true, py::arg("g") = 0, py::arg("h") = true, py::arg("i") = "sum",
        py::arg("j") = py::none(), py::arg("k") = std::nullopt,
        py::arg_v("l", c10::ScalarType::Float), py::arg("m") = number(), py::arg("n") = at::Tensor(),
        py::arg("o") = -__builtin_inf());
}
)");
  ASSERT_EQ(S.Entries.size(), 1u) << messagesOf(S);
  std::string Found;
  for (const EntryArgument &A : S.Entries[0].Arguments)
    Found += A.BoundDefault ? llvm::formatv("{0} ", *A.BoundDefault).str() : "- ";
  EXPECT_EQ(Found, "- 2 0.5 -1099511627776 true false 1 \"sum\" null null 0 - - \"-inf\" ");
}

TEST(EntryRecord, FewestArguments) {
  EntrySignature E;
  E.Arguments = {{"a", "long"}, {"b", "long"}, {"c", "long"}};
  EXPECT_EQ(fewestArguments(E), 3u);
  E.Arguments[1].BoundDefault = 1;
  EXPECT_EQ(fewestArguments(E), 3u);
  E.Arguments[2].BoundDefault = 2;
  EXPECT_EQ(fewestArguments(E), 1u);
  // One alone of the two ways leaves out: neither can give both values.
  E.Arguments[2].BoundDefault = std::nullopt;
  E.Arguments[2].HasDefault = true;
  EXPECT_EQ(fewestArguments(E), 2u);
  E.Arguments[1].HasDefault = true;
  EXPECT_EQ(fewestArguments(E), 1u);
  EntrySignature Read = llvm::cantFail(entryFromJson(toJson(E)));
  EXPECT_EQ(Read.Arguments[1].BoundDefault, llvm::json::Value(1));
  EXPECT_EQ(Read.Arguments[2].BoundDefault, std::nullopt);
}

TEST_F(BindingsTest, TorchLibrary) {
  EXPECT_EQ(entries(R"(
at::Tensor f(at::Tensor x) { return x; }
at::Tensor g(at::Tensor x) { return x; }
static void TORCH_LIBRARY_init_ns(torch::Library &m) {
  m.def("f(Tensor x) -> Tensor", &f);
  m.def("ns::g(Tensor x) -> Tensor");
}
static void TORCH_LIBRARY_IMPL_init_ns_CUDA_1(torch::Library &m) { m.impl("g", &g); }
static void TORCH_LIBRARY_IMPL_init_ns_CPU_2(torch::Library &m) { m.impl("g", &f); }
)"),
            (Strings{"f=f:at::Tensor (at::Tensor)", "g=g:at::Tensor (at::Tensor)"}));
}

TEST_F(BindingsTest, WithoutABinding) {
  EXPECT_EQ(entries("at::Tensor forward(at::Tensor x) { return x; }\n"
                    "at::Tensor other(at::Tensor x) { return x; }\n"),
            (Strings{"forward=forward:at::Tensor (at::Tensor)"}));
  EXPECT_EQ(entries("int helper(int x) { return x; }\n"
                    "at::Tensor only(at::Tensor x) { return x; }\n"),
            (Strings{"only=only:at::Tensor (at::Tensor)"}));
  EXPECT_EQ(entries("at::Tensor one(at::Tensor x) { return x; }\n"
                    "at::Tensor two(at::Tensor x) { return x; }\n"),
            Strings{});
  Options.EntryName = "two";
  EXPECT_EQ(entries("at::Tensor one(at::Tensor x) { return x; }\n"
                    "at::Tensor two(at::Tensor x) { return x; }\n"),
            (Strings{"two=two:at::Tensor (at::Tensor)"}));
}

TEST_F(BindingsTest, ABrokenBodyKeepsTheBinding) {
  ParsedSubmission S = bind("at::Tensor f(at::Tensor x) { return undeclared; }\n"
                            "void bind(py::module_ &m) { m.def(\"f\", &f); }\n");
  EXPECT_EQ(S.State, ParseState::Partial);
  ASSERT_EQ(S.Entries.size(), 1u);
  EXPECT_EQ(S.Entries[0].Place.Line, 24u);
}

TEST_F(BindingsTest, KindsOfTypes) {
  ParsedSubmission S = bind(R"(
std::tuple<at::Tensor, at::Tensor> f(
    const at::Tensor &, std::optional<at::Tensor>, std::vector<at::Tensor>, long, unsigned,
    std::optional<long>, float, std::optional<double>, bool, std::optional<bool>, std::string,
    const char *, std::vector<int>, c10::ArrayRef<long>, std::vector<double>, std::vector<bool>,
    c10::ScalarType, c10::Scalar, float *, std::tuple<at::Tensor, int>) { return {}; }
void bind(py::module_ &m) { m.def("f", &f); }
)");
  ASSERT_EQ(S.Entries.size(), 1u) << messagesOf(S);
  std::vector<ValueKind> Kinds;
  for (const EntryArgument &A : S.Entries[0].Arguments)
    Kinds.push_back(A.Kind);
  using K = ValueKind;
  std::vector<ValueKind> Expected = {
      K::Tensor,      K::OptionalTensor, K::TensorList,    K::Int,         K::Int,
      K::OptionalInt, K::Float,          K::OptionalFloat, K::Bool,        K::OptionalBool,
      K::String,      K::String,         K::IntList,       K::IntList,     K::FloatList,
      K::BoolList,    K::ScalarType,     K::Scalar,        K::Unsupported, K::Unsupported};
  EXPECT_EQ(Kinds, Expected);
  EXPECT_EQ(S.Entries[0].ResultKind, K::TensorTuple);
  EXPECT_EQ(S.Entries[0].ResultType, "std::tuple<at::Tensor, at::Tensor>");
  EXPECT_EQ(S.Entries[0].Arguments[2].Type, "std::vector<at::Tensor, std::allocator<at::Tensor>>");
}

TEST_F(BindingsTest, InternalFunctionsAreMarked) {
  ParsedSubmission S =
      bind("static at::Tensor s(at::Tensor x) { return x; }\n"
           "namespace { at::Tensor a(at::Tensor x) { return x; } }\n"
           "at::Tensor e(at::Tensor x) { return x; }\n"
           "void bind(py::module_ &m) { m.def(\"s\", s); m.def(\"a\", a); m.def(\"e\", e); }\n");
  ASSERT_EQ(S.Entries.size(), 3u);
  EXPECT_TRUE(S.Entries[0].IsInternal);
  EXPECT_TRUE(S.Entries[1].IsInternal);
  EXPECT_FALSE(S.Entries[2].IsInternal);
}

} // namespace
