//===- AdapterRunTest.cpp - adapters compiled, linked and called -------------===//
//
// Needs torch and a C++ compiler, no CUDA compiler: the functions are plain C++ here.
//
//===----------------------------------------------------------------------===//

#include "TestEntries.h"
#include "cupel/Build/Adapter.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Process.h"
#include "cupel/Support/Toolchain.h"
#include "gtest/gtest.h"

using namespace cupel;
using namespace cupel::test;

/// One function for each kind of value, some static, some hidden behind macros.
static const char *const Functions = R"(#include <ATen/core/TensorBody.h>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>
namespace ns { namespace {
at::Tensor byValue(at::Tensor x) { return x; }
at::Tensor &inPlace(at::Tensor &x, const at::Tensor &) { return x; }
} }
static void nothing(const at::Tensor &) {}
static std::optional<at::Tensor> maybe(std::optional<at::Tensor> x) { return x; }
static std::vector<at::Tensor> lists(const std::vector<at::Tensor> &x, c10::ArrayRef<at::Tensor> y) {
  std::vector<at::Tensor> all(x); all.insert(all.end(), y.begin(), y.end()); return all; }
static std::tuple<at::Tensor, at::Tensor> pairOf(at::Tensor x, at::Tensor y) { return {y, x}; }
static int64_t numbers(int a, unsigned char b, float c, bool d, std::optional<int64_t> e) {
  return a + b + static_cast<int64_t>(c * 2) + d + e.value_or(1000); }
static double lists2(c10::ArrayRef<long> a, std::vector<int> b, std::array<long, 2> c,
                     c10::ArrayRef<bool> d, std::vector<double> e) {
  double sum = 0; for (long i : a) sum += i; for (int i : b) sum += i; for (long i : c) sum += i;
  for (bool i : d) sum += i;
  for (double i : e) sum += i;
  return sum; }
static std::string text(const std::string &a, const char *b, std::string_view c) {
  return a + b + std::string(c); }
static double kinds(c10::ScalarType type, const c10::Scalar &s) {
  return static_cast<int>(type) + s.toDouble(); }
static int64_t defaults(int64_t a, int64_t b = 20, int64_t c = 300) { return a + b + c; }
[[maybe_unused]] static int64_t overloaded(double) { return 1; }
static int64_t overloaded(int64_t) { return 2; }
static double bound(double a, float b, std::optional<at::Tensor> c, const std::string &d, bool e,
                    int64_t f) {
  return a + b + (c ? 100 : 0) + d.size() + (e ? 1000 : 0) + (f == INT64_MIN ? 10000 : 0); }
static double floor(double a, double b) { return a > b ? a : b; }
static void throws() { throw std::runtime_error("boom"); }
[[maybe_unused]] static int64_t evil(int64_t) { return -1; }
#define defaults evil
#define static_cast evil
)";

static const char *const Main = R"(
#include <cstdio>
static int failures = 0;
static c10::IValue call(int index, Stack arguments) {
  cupel_entries[index].call(arguments);
  if (arguments.size() != 1) { ++failures; std::printf("entry %d left %zu values\n", index, arguments.size()); }
  return arguments.at(0);
}
static void check(bool good, const char *what) { if (!good) { ++failures; std::printf("FAILED %s\n", what); } }
static void refused(int index, Stack arguments, const std::string &why) {
  try { call(index, std::move(arguments)); check(false, why.c_str()); }
  catch (const std::exception &e) { if (why != e.what()) { ++failures; std::printf("got '%s', expected '%s'\n", e.what(), why.c_str()); } }
}
#undef CHECK
#define CHECK(x) check(x, #x)
int main() {
  at::Tensor none; using V = c10::IValue;
  at::Tensor x = at::detail::make_tensor<c10::TensorImpl>(c10::DispatchKeySet(c10::DispatchKey::CPU), caffe2::TypeMeta::Make<float>(), c10::Device(c10::kCPU));
  at::Tensor y = x.unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(0), false) ? at::Tensor(x.unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(0), false)) : none;
  CHECK(call(0, {x}).toTensor().is_same(x));
  CHECK(x.use_count() == 1);
  CHECK(call(1, {x, y}).toTensor().is_same(x));
  CHECK(call(2, {x}).isNone());
  CHECK(call(3, {x}).toTensor().is_same(x));
  CHECK(call(3, {V()}).isNone());
  c10::List<at::Tensor> list({x, y});
  at::ArrayRef<V> noValues;
  V result = call(4, {V(list), V(c10::ivalue::Tuple::create({V(y)}))});
  CHECK(result.isTensorList() && result.toTensorVector().size() == 3);
  CHECK(result.toTensorVector().at(2).is_same(y));
  result = call(5, {x, y});
  CHECK(result.isTuple() && result.toTupleRef().elements()[0].toTensor().is_same(y));
  CHECK(call(6, {V(-5), V(255), V(1.5), V(true), V()}).toInt() == -5 + 255 + 3 + 1 + 1000);
  CHECK(call(6, {V(0), V(0), V(int64_t(2)), V(false), V(7)}).toInt() == 4 + 7);
  c10::List<int64_t> two({1, 2}); c10::List<bool> bools({true, false, true}); c10::List<double> doubles({0.5});
  CHECK(call(7, {V(two), V(two), V(two), V(bools), V(doubles)}).toDouble() == 9 + 2 + 0.5);
  CHECK(call(8, {V("a"), V("b"), V("c")}).toStringRef() == "abc");
  CHECK(call(9, {V(int64_t(c10::ScalarType::Float)), V(2.5)}).toDouble() == 6 + 2.5);
  CHECK(call(10, {V(1)}).toInt() == 321);
  CHECK(call(10, {V(1), V(2)}).toInt() == 303);
  CHECK(call(10, {V(1), V(2), V(3)}).toInt() == 6);
  CHECK(call(11, {V(int64_t(1))}).toInt() == 2);
  refused(12, {}, "boom");
  refused(0, {}, "ns::byValue: expected 1 arguments, got 0");
  refused(0, {V(1)}, "ns::byValue: argument 1 'x': expected a tensor, got Int");
  refused(10, {}, "defaults: expected 3 arguments (at least 1), got 0");
  refused(6, {V(int64_t(1) << 31), V(0), V(1.0), V(true), V()}, "numbers: argument 1 'a': 2147483648 does not fit the argument's type");
  refused(6, {V(0), V(-1), V(1.0), V(true), V()}, "numbers: argument 2 'b': -1 does not fit the argument's type");
  refused(6, {V(1.0), V(0), V(1.0), V(true), V()}, "numbers: argument 1 'a': expected an integer, got Double");
  refused(6, {V(0), V(0), V(1.0), V(1), V()}, "numbers: argument 4 'd': expected a bool, got Int");
  refused(6, {V(0), V(0), V("1"), V(true), V()}, "numbers: argument 3 'c': expected a number, got String");
  refused(7, {V(doubles), V(two), V(two), V(bools), V(doubles)}, "lists2: argument 1 'a': expected an integer, got Double");
  refused(7, {V(two), V(two), V(c10::List<int64_t>({1})), V(bools), V(doubles)}, "lists2: argument 3 'c': expected 2 elements, got 1");
  refused(4, {x, V(list)}, "lists: argument 1 'x': expected a list, got Tensor");
  refused(9, {V(99999), V(1)}, "kinds: argument 1 'type': 99999 is no scalar type");
  refused(8, {V(1), V("b"), V("c")}, "text: argument 1 'a': expected a string, got Int");
  CHECK(std::string(cupel_adapter_abi()) == "cupel-adapter-1 torch-test");
  CHECK(call(13, {V(1.0)}).toDouble() == 1 + 0.25 + 3 + 1000 + 10000);
  CHECK(call(13, {V(1.0), V(0.5), V(x)}).toDouble() == 1 + 0.5 + 100 + 3 + 1000 + 10000);
  CHECK(call(13, {V(1.0), V(0.5), V(), V(""), V(false), V(1)}).toDouble() == 1.5);
  refused(13, {}, "bound: expected 6 arguments (at least 1), got 0");
  CHECK(call(14, {V(-3.0)}).toDouble() == -3);
  CHECK(cupel_entries[15].name == nullptr);
  return failures != 0;
}
)";

static std::vector<EntrySignature> entries() {
  using K = ValueKind;
  EntrySignature Defaults =
      entry("defaults", "long", K::Int,
            {{"a", "long", K::Int}, {"b", "long", K::Int}, {"c", "long", K::Int}});
  Defaults.Arguments[1].HasDefault = Defaults.Arguments[2].HasDefault = true;
  EntrySignature Bound = entry("bound", "double", K::Float,
                               {{"a", "double", K::Float},
                                {"b", "float", K::Float},
                                {"c", "std::optional<at::Tensor>", K::OptionalTensor},
                                {"d", "const std::string &", K::String},
                                {"e", "bool", K::Bool},
                                {"f", "long", K::Int}});
  Bound.Arguments[1].BoundDefault = 0.25;
  Bound.Arguments[2].BoundDefault = nullptr;
  Bound.Arguments[3].BoundDefault = "a\"b";
  Bound.Arguments[4].BoundDefault = true;
  Bound.Arguments[5].BoundDefault = std::numeric_limits<int64_t>::min();
  EntrySignature Floor =
      entry("floor", "double", K::Float, {{"a", "double", K::Float}, {"b", "double", K::Float}});
  Floor.Arguments[1].BoundDefault = "-inf";
  return {
      entry("ns::byValue", "at::Tensor", K::Tensor, {{"x", "at::Tensor", K::Tensor}}),
      entry("ns::inPlace", "at::Tensor &", K::Tensor,
            {{"x", "at::Tensor &", K::Tensor}, {"y", "const at::Tensor &", K::Tensor}}),
      entry("nothing", "void", K::None, {{"x", "const at::Tensor &", K::Tensor}}),
      entry("maybe", "std::optional<at::Tensor>", K::OptionalTensor,
            {{"x", "std::optional<at::Tensor>", K::OptionalTensor}}),
      entry("lists", "std::vector<at::Tensor>", K::TensorList,
            {{"x", "const std::vector<at::Tensor> &", K::TensorList},
             {"y", "c10::ArrayRef<at::Tensor>", K::TensorList}}),
      entry("pairOf", "std::tuple<at::Tensor, at::Tensor>", K::TensorTuple,
            {{"x", "at::Tensor", K::Tensor}, {"y", "at::Tensor", K::Tensor}}),
      entry("numbers", "long", K::Int,
            {{"a", "int", K::Int},
             {"b", "unsigned char", K::Int},
             {"c", "float", K::Float},
             {"d", "bool", K::Bool},
             {"e", "std::optional<long>", K::OptionalInt}}),
      entry("lists2", "double", K::Float,
            {{"a", "c10::ArrayRef<long>", K::IntList},
             {"b", "std::vector<int>", K::IntList},
             {"c", "std::array<long, 2>", K::IntList},
             {"d", "c10::ArrayRef<bool>", K::BoolList},
             {"e", "std::vector<double>", K::FloatList}}),
      entry("text", "std::string", K::String,
            {{"a", "const std::string &", K::String},
             {"b", "const char *", K::String},
             {"c", "std::string_view", K::String}}),
      entry("kinds", "double", K::Float,
            {{"type", "c10::ScalarType", K::ScalarType}, {"s", "const c10::Scalar &", K::Scalar}}),
      Defaults,
      entry("overloaded", "long", K::Int, {{"a", "long", K::Int}}),
      entry("throws", "void", K::None, {}),
      Bound,
      Floor,
  };
}

TEST(AdapterRun, EveryKindOfValue) {
  const Toolchain &Tools = findToolchain();
  if (Tools.TorchHome.empty() || Tools.HostCompiler.empty())
    GTEST_SKIP() << "no torch or no C++ compiler";
  AdapterSource A = generateAdapter(entries(), "test");
  ASSERT_TRUE(A.Refused.empty());
  TemporaryDirectory Folder = llvm::cantFail(TemporaryDirectory::create("cupel-adapter-test"));
  std::string Path = Folder.path().str();
  llvm::cantFail(writeFileAtomically(Path + "/functions.cpp", Functions + A.Tail));
  llvm::cantFail(writeFileAtomically(Path + "/boxed.cpp", A.Boxed + Main));

  ProcessOptions Compile;
  Compile.Program = Tools.HostCompiler;
  Compile.WorkingDirectory = Path;
  Compile.Arguments = {"-std=c++17", "-Wall", "-fvisibility=hidden", "functions.cpp", "boxed.cpp",
                       "-o",         "run"};
  for (const std::string &Dir : Tools.torchIncludeDirs())
    Compile.Arguments.insert(Compile.Arguments.end(), {"-isystem", Dir});
  for (const char *Flag : {"-ltorch_cpu", "-lc10", "-Wl,--allow-shlib-undefined"})
    Compile.Arguments.push_back(Flag);
  Compile.Arguments.push_back("-L" + Tools.TorchHome + "/lib");
  Compile.Arguments.push_back("-Wl,-rpath," + Tools.TorchHome + "/lib");
  Compile.TimeoutSeconds = 400;
  ProcessResult Compiled = llvm::cantFail(runProcess(Compile));
  ASSERT_TRUE(Compiled.succeeded()) << Compiled.Stderr;
  EXPECT_EQ(Compiled.Stderr.find("warning"), std::string::npos) << Compiled.Stderr;

  ProcessOptions Run;
  Run.Program = Path + "/run";
  Run.TimeoutSeconds = 100;
  ProcessResult Ran = llvm::cantFail(runProcess(Run));
  EXPECT_TRUE(Ran.succeeded()) << Ran.describe() << "\n" << Ran.Stdout << Ran.Stderr;
}
