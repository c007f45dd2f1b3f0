//===- RealBuildTest.cpp - nvcc, torch and ld themselves ---------------------===//

#include "TestEntries.h"
#include "cupel/Build/Builder.h"
#include "cupel/Support/File.h"
#include "gtest/gtest.h"

using namespace cupel;
using namespace cupel::test;

namespace {
/// A cache of its own, so that every build is cold.
class RealBuild : public ::testing::Test {
protected:
  void SetUp() override {
    if (findToolchain().Nvcc.empty() || findToolchain().TorchHome.empty())
      GTEST_SKIP() << "no nvcc or no torch";
  }

  BuildRecord build(std::string Source) {
    BuildRequest R;
    R.File = "user/case.cu";
    R.Source = std::move(Source);
    R.Entries = {tensorEntry("forward")};
    R.Tools = findToolchain();
    R.Cache = CacheDirectory((Folder.path() + "/cache").str());
    R.Limits.TimeoutSeconds = 550;
    llvm::Expected<BuildRecord> Record = buildSubmission(R);
    if (Record)
      return *Record;
    ADD_FAILURE() << llvm::toString(Record.takeError());
    return {};
  }

  TemporaryDirectory Folder = llvm::cantFail(TemporaryDirectory::create("cupel-real-build"));
};
} // namespace

TEST_F(RealBuild, KernelsWithTheirFigures) {
  BuildRecord R = build(R"(#include <torch/extension.h>
template <typename T> __global__ void relu(const T *x, T *y, int64_t n) {
  __shared__ T tile[64];
  int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : T(0);
  __syncthreads();
  if (i < n) y[i] = tile[63 - threadIdx.x] > T(0) ? tile[63 - threadIdx.x] : T(0);
}
static at::Tensor forward(at::Tensor x) {
  TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
  at::Tensor y = torch::empty_like(x);
  relu<<<(x.numel() + 63) / 64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "relu", py::arg("x")); }
)");
  ASSERT_EQ(R.State, BuildState::Built) << (R.Reasons.empty() ? "" : R.Reasons[0].Text);
  ASSERT_EQ(R.Kernels.size(), 1u);
  EXPECT_EQ(R.Kernels[0].Name, "void relu<float>(float const*, float*, long)");
  EXPECT_EQ(R.Kernels[0].SharedBytes, 256u);
  EXPECT_GT(R.Kernels[0].Registers, 0u);
  EXPECT_EQ(R.Kernels[0].Architecture, "sm_90a");
}

TEST_F(RealBuild, ErrorsOnTheirLines) {
  BuildRecord R = build("#include <vector>\n"
                        "namespace at { struct Tensor; }\n"
                        "template <typename T> __global__ void k(T *x) { x[0] = missing; }\n"
                        "static std::vector<void> v;\n"
                        "int f() {\n  return gone(1); }\n");
  EXPECT_EQ(R.State, BuildState::Failed);
  ASSERT_FALSE(R.Reasons.empty());
  EXPECT_EQ(R.Reasons[0].Code, "compile-error");
  std::vector<unsigned> Lines;
  for (const BuildDiagnostic &D : R.Diagnostics)
    Lines.push_back(D.Place.Line);
  for (unsigned Line : {3u, 4u, 6u})
    EXPECT_NE(std::find(Lines.begin(), Lines.end(), Line), Lines.end()) << Line;
}

TEST_F(RealBuild, MissingHeader) {
  BuildRecord R = build("\n#include \"kernels/util.h\"\n");
  ASSERT_FALSE(R.Reasons.empty());
  EXPECT_EQ(R.Reasons[0].Text, "user/case.cu:2:10: kernels/util.h: No such file or directory");
}
