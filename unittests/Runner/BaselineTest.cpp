//===- BaselineTest.cpp - names of baselines ---------------------------------===//

#include "cupel/Runner/Baseline.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace cupel;

TEST(BaselineTest, EveryNameIsReadBackAsItself) {
  std::vector<std::string> Names = baselineNames();
  EXPECT_EQ(Names.size(), 8u);
  for (const std::string &Name : Names) {
    std::optional<BaselineKind> Kind = parseBaseline(Name);
    ASSERT_TRUE(Kind.has_value()) << Name;
    EXPECT_EQ(Kind->name(), Name);
  }
  llvm::sort(Names);
  EXPECT_EQ(std::unique(Names.begin(), Names.end()), Names.end());
}

TEST(BaselineTest, OtherNamesAreNone) {
  for (const char *Name : {"", "eager-autotune", "tf32", "compiled-tf32-autotune", "Eager"})
    EXPECT_FALSE(parseBaseline(Name).has_value()) << Name;
}

TEST(BaselineTest, TheWorkerIsNotToldHowAPackageWasMade) {
  EXPECT_EQ(parseBaseline("compiled-autotune-tf32")->workerName(), "compiled-tf32");
  EXPECT_EQ(parseBaseline("graphed")->workerName(), "graphed");
  EXPECT_TRUE(parseBaseline("compiled-autotune")->needsPackage());
  EXPECT_FALSE(parseBaseline("eager-tf32")->needsPackage());
}
