//===- TorchTest.cpp - the parse with torch's headers -----------------------===//
//
// Uses the cache of the user: making the precompiled headers takes half a minute.
//
//===----------------------------------------------------------------------===//

#include "TestParse.h"
#include "clang/AST/Decl.h"

using namespace cupel;

namespace {

class TorchTest : public testing::Test {
protected:
  void SetUp() override {
    unsetenv("CUPEL_CACHE_DIR");
    if (const char *Outer = getenv("CUPEL_TEST_CACHE_DIR"))
      setenv("CUPEL_CACHE_DIR", Outer, 1);
    Options.Tools = findToolchain();
    if (Options.Tools.TorchHome.empty() || Options.Tools.CudaHome.empty())
      GTEST_SKIP() << "no torch or no CUDA headers";
    Folder = std::make_unique<TemporaryDirectory>(
        llvm::cantFail(TemporaryDirectory::create("cupel-frontend-test")));
  }
  ParsedSubmission parse(llvm::StringRef Text) {
    std::string File = (Folder->path() + "/submission.cu").str();
    llvm::cantFail(writeFileAtomically(File, Text));
    llvm::Expected<ParsedSubmission> Submission = parseSubmission(File, Options);
    if (Submission)
      return std::move(*Submission);
    ADD_FAILURE() << textOf(Submission.takeError());
    return {};
  }
  ParseOptions Options;
  std::unique_ptr<TemporaryDirectory> Folder;
};

TEST_F(TorchTest, BindingBlocksOfManyShapes) {
  ParsedSubmission S = parse(R"(
#include <torch/extension.h>
#include <pybind11/stl.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <cub/cub.cuh>
struct Config { int n; int get() const { return n; } };
enum class Mode { A, B };
__global__ void k(const float *x, float *y) { *y = *x; }
torch::Tensor forward(torch::Tensor x, double eps) {
  TORCH_CHECK(x.is_cuda(), "x must be on the GPU, is on ", x.device());
  const at::cuda::OptionalCUDAGuard guard(device_of(x));
  auto y = torch::empty_like(x);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "forward", [&] {
    k<<<1, 1, 0, at::cuda::getCurrentCUDAStream()>>>((const float *)x.data_ptr<scalar_t>(),
                                                    (float *)y.data_ptr<scalar_t>());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return y;
}
torch::Tensor many(torch::Tensor x) { return x; }
torch::Tensor many(torch::Tensor x, int64_t n) { return x; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  using namespace pybind11::literals;
  m.doc() = "a module";
  m.attr("version") = 1;
  m.def("forward", &forward, "doc", py::arg("x"), py::arg("eps") = 1e-5,
        py::call_guard<py::gil_scoped_release>(), py::return_value_policy::move);
  m.def("many", py::overload_cast<torch::Tensor, int64_t>(&many), "x"_a, "n"_a);
  m.def("wrapped", torch::wrap_pybind_function(forward));
  m.def("lambda", [](const at::Tensor &x) { return forward(x, 0.5); });
  py::class_<Config>(m, "Config").def(py::init<>()).def("get", &Config::get)
      .def_readwrite("n", &Config::n);
  py::enum_<Mode>(m, "Mode").value("A", Mode::A).export_values();
  auto sub = m.def_submodule("sub", "doc");
  sub.def("inner", &forward);
}
)");
  EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
  EXPECT_EQ(S.Headers, "slim");
  std::vector<std::string> Names;
  for (const EntrySignature &E : S.Entries)
    Names.push_back(E.BoundName);
  EXPECT_EQ(Names, (std::vector<std::string>{"forward", "many", "wrapped", "lambda", "inner"}));
  ASSERT_FALSE(S.Entries.empty());
  EXPECT_EQ(S.Entries[0].FunctionType, "at::Tensor (at::Tensor, double)");
  EXPECT_EQ(S.Launches.size(), 1u);
}

TEST_F(TorchTest, LibraryBlocks) {
  ParsedSubmission S = parse(R"(
#include <torch/library.h>
at::Tensor f(const at::Tensor &x) { return x; }
TORCH_LIBRARY(my_ops, m) { m.def("f(Tensor x) -> Tensor"); m.def("g(Tensor x) -> Tensor", &f); }
TORCH_LIBRARY_IMPL(my_ops, CUDA, m) { m.impl("f", TORCH_FN(f)); }
)");
  EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
  ASSERT_EQ(S.Entries.size(), 2u);
  EXPECT_EQ(S.Entries[0].BoundName, "g");
  EXPECT_EQ(S.Entries[1].BoundName, "f");
}

TEST_F(TorchTest, FullHeadersWhereNeeded) {
  ParsedSubmission S = parse(R"(
#include <torch/extension.h>
namespace F = torch::nn::functional;
torch::Tensor forward(torch::Tensor x) { return F::relu(x); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, py::arg("x")); }
)");
  EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
  EXPECT_EQ(S.Headers, "full");
  ASSERT_EQ(S.Entries.size(), 1u);
  EXPECT_EQ(S.Entries[0].Arguments[0].Name, "x");
}

} // namespace
