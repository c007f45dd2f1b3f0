//===- StatisticsTest.cpp --------------------------------------------------===//

#include "cupel/Profile/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace cupel;

namespace {

std::vector<double> normalSamples(size_t Count, double Mean, double Sigma, uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  std::normal_distribution<double> Normal(Mean, Sigma);
  std::vector<double> Samples(Count);
  for (double &Sample : Samples)
    Sample = Normal(Random);
  return Samples;
}

TEST(Statistics, MedianAndQuantiles) {
  EXPECT_EQ(median({3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median({4.0, 1.0, 3.0, 2.0}), 2.5);
  EXPECT_EQ(median({7.0}), 7.0);
  // numpy.quantile([1, 2, 3, 4], [0, 0.25, 0.9, 1])
  EXPECT_DOUBLE_EQ(quantile({4.0, 2.0, 3.0, 1.0}, 0), 1.0);
  EXPECT_DOUBLE_EQ(quantile({4.0, 2.0, 3.0, 1.0}, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile({4.0, 2.0, 3.0, 1.0}, 0.9), 3.7);
  EXPECT_DOUBLE_EQ(quantile({4.0, 2.0, 3.0, 1.0}, 1), 4.0);
}

TEST(Statistics, NoiseIsDeviationOverMean) {
  // statistics.stdev([10, 11, 9]) / 10
  EXPECT_DOUBLE_EQ(*relativeNoise({10.0, 11.0, 9.0}), 0.1);
  EXPECT_EQ(*relativeNoise({5.0, 5.0, 5.0}), 0.0);
  EXPECT_FALSE(relativeNoise({5.0}));
  EXPECT_FALSE(relativeNoise({}));
  EXPECT_FALSE(relativeNoise({0.0, 0.0}));
  EXPECT_FALSE(relativeNoise({NAN, NAN}));
}

TEST(Statistics, AnInterruptDoesNotCountAsNoise) {
  std::vector<double> Samples = normalSamples(200, 100, 0.3, 1);
  double Clean = *relativeNoise(Samples);
  Samples[17] = 5000;
  EXPECT_NEAR(*relativeNoise(Samples), Clean, 0.0005);
  EXPECT_EQ(withoutOutliers(Samples).size(), 199u);
}

TEST(Statistics, IntervalHoldsTheTrueRatio) {
  unsigned Held = 0;
  for (uint64_t Trial = 0; Trial != 40; ++Trial) {
    std::vector<double> Slow = normalSamples(300, 200, 2, 2 * Trial);
    std::vector<double> Fast = normalSamples(300, 100, 1, 2 * Trial + 1);
    std::vector<unsigned> Blocks(10, 30);
    Interval I = *ratioInterval({Slow, Blocks}, {Fast, Blocks});
    EXPECT_LT(I.Low, I.High);
    EXPECT_LT(I.High - I.Low, 0.03);
    Held += I.Low <= 2 && 2 <= I.High;
  }
  EXPECT_GE(Held, 36u);
}

/// How many of 400 intervals of equal things in 8 blocks hold 1. Samples vary by 5 % within a
/// block, and so do blocks.
unsigned heldOfEqual() {
  constexpr unsigned BlockCount = 8, BlockSize = 10;
  unsigned Held = 0;
  for (uint64_t Trial = 0; Trial != 400; ++Trial) {
    std::vector<unsigned> Blocks(BlockCount, BlockSize);
    std::vector<double> Sides[2];
    for (unsigned Side = 0; Side != 2; ++Side) {
      const uint64_t Seed = 1000 * (2 * Trial + Side);
      for (double Level : normalSamples(BlockCount, 1000, 50, Seed))
        llvm::append_range(Sides[Side],
                           normalSamples(BlockSize, Level, 50, Seed + Sides[Side].size() + 1));
    }
    Interval I = *ratioInterval({Sides[0], Blocks}, {Sides[1], Blocks});
    Held += I.Low <= 1 && 1 <= I.High;
  }
  return Held;
}

TEST(Statistics, IntervalsOfFewBlocksAreWideEnough) {
  // 95 % are 380, with a standard deviation of 4.4. Plain percentiles hold 359.
  EXPECT_GE(heldOfEqual(), 371u);
}

TEST(Statistics, NoIntervalIsNarrowerThanTheSystematicError) {
  std::vector<double> Same(160, 100.0);
  std::vector<unsigned> Blocks(8, 20);
  Interval I = *ratioInterval({Same, Blocks}, {Same, Blocks});
  EXPECT_NEAR(I.Low, 1 / (1 + SystematicShare), 1e-9);
  EXPECT_NEAR(I.High, 1 + SystematicShare, 1e-9);
}

TEST(Statistics, BlocksThatDifferWidenTheInterval) {
  // Each block has a level of its own: 300 samples are really only ten.
  std::vector<double> Levels = normalSamples(10, 100, 3, 5), Varying;
  std::vector<double> Steady(300, 100.0);
  for (double Level : Levels)
    Varying.insert(Varying.end(), 30, Level);
  std::vector<unsigned> Blocks(10, 30), OneBlock(1, 300);
  Interval ByBlock = *ratioInterval({Varying, Blocks}, {Steady, Blocks});
  Interval BySample = *ratioInterval({Varying, OneBlock}, {Steady, OneBlock});
  EXPECT_GT(ByBlock.High - ByBlock.Low, 2 * (BySample.High - BySample.Low));
}

TEST(Statistics, SameRecordSameInterval) {
  std::vector<double> A = normalSamples(50, 10, 1, 3), B = normalSamples(40, 10, 1, 4);
  Interval First = *ratioInterval({A, {}}, {B, {}}), Second = *ratioInterval({A, {}}, {B, {}});
  EXPECT_EQ(First.Low, Second.Low);
  EXPECT_EQ(First.High, Second.High);
}

TEST(Statistics, NoIntervalFromNothing) {
  std::vector<double> Two{1.0, 2.0}, One{1.0}, Zero{0.0, 1.0}, Broken{1.0, INFINITY};
  EXPECT_TRUE(ratioInterval({Two, {}}, {Two, {}}));
  EXPECT_FALSE(ratioInterval({One, {}}, {Two, {}}));
  EXPECT_FALSE(ratioInterval({Two, {}}, {Zero, {}}));
  EXPECT_FALSE(ratioInterval({Broken, {}}, {Two, {}}));
}

} // namespace
