//===- ClocksTest.cpp --------------------------------------------------------===//

#include "cupel/Profile/Clocks.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

TEST(Clocks, OnlyReadingsOfABusyGpuCount) {
  ClockReadings Readings;
  Readings.SmMhz = {345, 1980, 1965, 1950, 1980};
  Readings.TemperatureC = {70, 40, 41, 43, 42};
  Readings.EventReasons = {0x1 | 0x4, 0, 0x4, 0x2 | 0x4, 0x200};
  ClockRecord Record = summarizeClocks(Readings);
  ASSERT_FALSE(Record.Why);
  EXPECT_EQ(Record.Readings, 4u);
  EXPECT_EQ(Record.SmMhzMin, 1950);
  EXPECT_EQ(Record.SmMhzMedian, 1972.5);
  EXPECT_EQ(Record.SmMhzMax, 1980);
  EXPECT_EQ(Record.TemperatureCMax, 43);
  ASSERT_EQ(Record.Limits.size(), 2u); // A bit that NVML has not got yet is no limit.
  EXPECT_EQ(Record.Limits[0].Name, "sw-power-cap");
  EXPECT_EQ(Record.Limits[0].Share, 0.5);
  EXPECT_EQ(Record.Limits[1].Name, "applications-clocks-setting");
  EXPECT_TRUE(Record.throttled());
}

TEST(Clocks, WhatSomebodyAskedForIsNoThrottle) {
  for (auto [Bit, Throttles] : {std::pair(0x1, false),
                                {0x2, false},
                                {0x4, true},
                                {0x8, true},
                                {0x10, false},
                                {0x20, true},
                                {0x40, true},
                                {0x80, true},
                                {0x100, false}}) {
    ClockReadings Readings{{1980}, {40}, {double(Bit)}, std::nullopt};
    EXPECT_EQ(summarizeClocks(Readings).throttled(), Throttles) << Bit;
  }
}

TEST(Clocks, NothingReadIsNotMeasured) {
  ClockReadings Without;
  Without.NotMeasured = Reason{"no-nvml", "no library"};
  EXPECT_EQ(summarizeClocks(Without).Why->Code, "no-nvml");
  EXPECT_EQ(summarizeClocks(ClockReadings()).Why->Code, "no-samples");
  EXPECT_EQ(summarizeClocks({{345}, {30}, {1}, std::nullopt}).Why->Code, "gpu-idle");
  const llvm::json::Value Json = toJson(summarizeClocks(ClockReadings()));
  EXPECT_EQ(*Json.getAsObject()->get("sm_mhz_median"), llvm::json::Value(nullptr));
}

TEST(Clocks, JsonBothWays) {
  const ClockReadings Readings{{1980, 1965}, {40, 41}, {4, 0}, std::nullopt};
  const llvm::json::Value Written = toJson(summarizeClocks(Readings));
  ClockRecord Record;
  llvm::json::Path::Root Root;
  ASSERT_TRUE(fromJSON(Written, Record, Root));
  EXPECT_EQ(toJson(Record), Written);
  ClockReadings Again;
  ASSERT_TRUE(fromJSON(toJson(Readings), Again, Root));
  EXPECT_EQ(toJson(Again), toJson(Readings));
  Again.SmMhz.pop_back();
  ClockReadings Uneven;
  EXPECT_FALSE(fromJSON(toJson(Again), Uneven, Root));
}

} // namespace
