//===- KernelBoundTest.cpp - what a kernel's time is spent on ----------------===//

#include "cupel/Report/KernelBound.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

/// A kernel that fills the GPU and keeps no unit busy.
KernelRecord idle() {
  KernelRecord K;
  K.State = "measured";
  K.Calls = 1;
  K.TimeUs = 100;
  K.Grid = {1000, 1, 1};
  K.DramPercent = 20;
  K.TensorPercent = 0;
  K.L2Percent = 30;
  K.SmPercent = 40;
  return K;
}

std::string by(const KernelRecord &K) { return boundOf(K, 132)->By; }

void expectText(const KernelRecord &K, const std::string &Part) {
  std::string Text = boundOf(K, 132)->Text;
  EXPECT_NE(Text.find(Part), std::string::npos) << Text;
}

void expectNoText(const KernelRecord &K, const std::string &Part) {
  std::string Text = boundOf(K, 132)->Text;
  EXPECT_EQ(Text.find(Part), std::string::npos) << Text;
}

TEST(KernelBound, NothingIsSaidWithoutCounters) {
  KernelRecord K = idle();
  K.State = "not_measured";
  EXPECT_FALSE(boundOf(K, 132));
  K = idle();
  K.DramPercent.reset();
  EXPECT_FALSE(boundOf(K, 132));
}

TEST(KernelBound, TheBusiestUnit) {
  KernelRecord K = idle();
  K.DramPercent = 88;
  K.DramGbPerS = 4236;
  EXPECT_EQ(boundOf(K, 132)->Text, "bound by DRAM, at 88 % of the peak rate (4236 GB/s)");
  K.L2Percent = 92; // What DRAM moves passes through it.
  EXPECT_EQ(by(K), "dram");
  K = idle();
  K.L2Percent = 75;
  EXPECT_EQ(by(K), "l2");
  K = idle();
  K.SmPercent = 90;
  EXPECT_EQ(by(K), "arithmetic");
  K.TensorPercent = 90; // The busiest unit of the multiprocessor is the tensor core.
  EXPECT_EQ(by(K), "tensor");
}

TEST(KernelBound, TooFewBlocks) {
  KernelRecord K = idle();
  K.Grid = {11, 12, 1};
  EXPECT_EQ(by(K), "latency"); // As many blocks as multiprocessors.
  K.Grid = {131, 1, 1};
  EXPECT_EQ(by(K), "parallelism");
  expectText(K, "131 blocks for 132 multiprocessors");
  EXPECT_EQ(boundOf(K, std::nullopt)->By, "latency");
  K.DramPercent = 70; // Few blocks that keep DRAM busy are enough.
  EXPECT_EQ(by(K), "dram");
}

TEST(KernelBound, ShorterThanALaunch) {
  KernelRecord K = idle();
  K.TimeUs = 40;
  K.Calls = 10;
  EXPECT_EQ(by(K), "launch");
  expectText(K, "4.00 us");
  K.Calls = 4;
  EXPECT_EQ(by(K), "latency");
}

TEST(KernelBound, LatencyHasItsReasons) {
  KernelRecord K = idle();
  K.AchievedOccupancy = 0.23;
  K.TheoreticalOccupancy = 0.25;
  K.OccupancyLimits = {"registers", "shared_memory"};
  K.Stalls = {{"long_scoreboard", 7.5, 0.62}, {"barrier", 1, 0.1}};
  expectText(K, "no unit is at 60 % (DRAM 20 %, tensor cores 0 %, L2 cache 30 %, "
                "multiprocessors 40 %)");
  expectText(K,
             "warps wait most for global or local memory (long_scoreboard, 62 % of their cycles)");
  expectText(K, "occupancy is 23 % of a possible 25 %, limited by registers and shared memory");
  K.AchievedOccupancy = 0.8;
  expectNoText(K, "occupancy");
}

TEST(KernelBound, WasteIsTold) {
  KernelRecord K = idle();
  K.DramPercent = 80;
  K.LoadSectorUse = 0.125;
  K.StoreSectorUse = 1;
  K.SharedBankConflicts = 10;
  K.SharedWavefronts = 100;
  K.LocalLoadBytes = 4096;
  expectText(K, "loads use 12 % of the sectors");
  expectText(K, "4.00 KiB go to and from local memory");
  expectNoText(K, "stores use");
  expectNoText(K, "bank conflicts");
  K.SharedBankConflicts = 50;
  expectText(K, "50 % of shared memory's cycles are bank conflicts");
  K.LoadSectorUse = 0; // It loads nothing.
  expectNoText(K, "loads use");
}

TEST(KernelBound, BasicCountsTooLittleToTellLatency) {
  KernelRecord K = idle();
  K.SmPercent.reset();
  K.L2Percent.reset();
  EXPECT_EQ(by(K), "unknown");
  expectText(K, "--profile full");
}

TEST(KernelBound, NothingSteersTheTerminal) {
  KernelRecord K = idle();
  K.Stalls = {{"a\033[2J", 1, 0.5}};
  K.OccupancyLimits = {"\033]0;x\a"};
  K.AchievedOccupancy = K.TheoreticalOccupancy = 0.1;
  std::string Text = boundOf(K, 132)->Text;
  EXPECT_EQ(Text.find('\033'), std::string::npos);
  EXPECT_EQ(Text.find('\a'), std::string::npos);
}

} // namespace
