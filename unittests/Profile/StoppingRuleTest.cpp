//===- StoppingRuleTest.cpp ------------------------------------------------===//

#include "cupel/Profile/StoppingRule.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

StoppingOptions small() {
  StoppingOptions Options;
  Options.MinSamples = 4;
  Options.MinBlocks = 2;
  Options.TimeLimitSeconds = 1;
  return Options;
}

TEST(StoppingRule, QuietSamplesStopByNoise) {
  StoppingRule Rule(small());
  EXPECT_FALSE(Rule.afterBlock({10.0, 10.01, 10.0}, 0.1)) << "too few samples";
  EXPECT_EQ(Rule.afterBlock({10.0, 10.01, 10.0, 10.0}, 0.2), "noise");
}

TEST(StoppingRule, EnoughBlocksAreNeeded) {
  StoppingRule Rule(small());
  EXPECT_FALSE(Rule.afterBlock({10.0, 10.0, 10.0, 10.0, 10.0}, 0.1));
  EXPECT_TRUE(Rule.afterBlock({10.0, 10.0, 10.0, 10.0, 10.0, 10.0}, 0.1));
}

TEST(StoppingRule, TimeIsNamedAsSuch) {
  StoppingRule Rule(small());
  EXPECT_FALSE(Rule.afterBlock({10.0, 20.0, 10.0, 30.0}, 0.5));
  EXPECT_EQ(Rule.afterBlock({10.0, 20.0, 10.0, 30.0, 11.0}, 1.0), "time");
}

TEST(StoppingRule, TooFewSamplesInTimeStopByTime) {
  StoppingRule Rule(small());
  EXPECT_EQ(Rule.afterBlock({10.0}, 2.0), "time");
  EXPECT_EQ(Rule.afterBlock({}, 2.0), "time");
}

TEST(StoppingRule, NoiseThatHasSettledStops) {
  StoppingRule Rule(small());
  std::vector<double> Samples;
  std::optional<std::string> Stop;
  unsigned Blocks = 0;
  while (!Stop && Blocks < 100) {
    for (double Value : {10.0, 10.5, 9.5, 10.2})
      Samples.push_back(Value);
    Stop = Rule.afterBlock(Samples, 0.1);
    ++Blocks;
  }
  EXPECT_EQ(Stop, "noise");
  EXPECT_GE(Blocks, 8u);
}

TEST(StoppingRule, NoiseThatGrowsDoesNotSettle) {
  StoppingRule Rule(small());
  std::vector<double> Samples;
  double Spread = 5;
  for (unsigned Block = 0; Block != 20; ++Block, Spread *= 1.5) {
    Samples.push_back(100 + Spread);
    Samples.push_back(100);
    EXPECT_FALSE(Rule.afterBlock(Samples, 0.1)) << Block;
  }
}

} // namespace
