//===- EvaluateAllTest.cpp - many evaluations, each with its own end ----------===//

#include "cupel/Driver/Evaluate.h"
#include "cupel/Support/Toolchain.h"
#include "gtest/gtest.h"
#include <map>

using namespace cupel;

namespace {

EvalOptions options(std::string Problem, std::string Example) {
  EvalOptions Result;
  Result.Problem = CUPEL_SOURCE_DIR "/problems/level1/" + Problem + ".toml";
  Result.Submission = CUPEL_SOURCE_DIR "/docs/examples/" + Example;
  Result.Device = "cuda";
  Result.StopAfter = Phase::Lint;
  return Result;
}

TEST(EvaluateAll, OneMistakeLosesNothingElse) {
  if (findToolchain().TorchHome.empty() || findToolchain().CudaHome.empty())
    GTEST_SKIP() << "no torch or no CUDA headers";
  std::vector<EvalOptions> Options = {
      options("relu", "relu.cu"), options("relu", "no-such-file.cu"),
      options("relu", "relu-torch.cu"), options("no-such-problem", "relu.cu"),
      options("softmax", "softmax.cu")};
  std::map<size_t, std::string> Ends;
  evaluateAll(Options, 2, [&](size_t Index, llvm::Expected<EvalRecord> Record) {
    if (Record)
      Ends[Index] = Record->Result.Outcome == Verdict::Rejected ? "rejected" : "stopped";
    else
      Ends[Index] = takeReasons(Record.takeError()).empty() ? "nothing" : "error";
  });
  std::map<size_t, std::string> Expected = {
      {0, "stopped"}, {1, "error"}, {2, "rejected"}, {3, "error"}, {4, "stopped"}};
  EXPECT_EQ(Ends, Expected);
}

} // namespace
