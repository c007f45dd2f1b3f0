#include "Operators.h"
#include "gtest/gtest.h"
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <algorithm>
#include <thread>

using namespace cupel::worker;

namespace {

unsigned callsOf(const Json &Operators, const std::string &Name) {
  for (const Json &Operator : Operators)
    if (Operator["name"] == Name)
      return Operator["calls"];
  return 0;
}

} // namespace

TEST(Operators, OfAllThreadsWhileTheCallRuns) {
  at::Tensor X = at::ones({4});
  Json Seen = operatorsDuring([&] {
    at::relu(X);
    std::thread([&] { at::relu(X); }).join();
  });
  EXPECT_EQ(callsOf(Seen, "aten::relu"), 2u) << Seen;
  EXPECT_EQ(callsOf(Seen, "aten::ones"), 0u) << Seen;
  EXPECT_TRUE(operatorsDuring([] {}).empty()); // Nothing is left of the call before.
}

TEST(Operators, NobodyWatchesAfterACallThatThrew) {
  EXPECT_THROW(operatorsDuring([] { throw 1; }), int);
  EXPECT_TRUE(operatorsDuring([] {}).empty());
}

TEST(Operators, LibrariesOfTheProcess) {
  std::vector<std::string> Files = loadedLibraries();
  EXPECT_TRUE(std::any_of(Files.begin(), Files.end(), [](const std::string &File) {
    return File.find("libtorch_cpu.so") != std::string::npos;
  }));
}
