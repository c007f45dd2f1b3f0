//===- TextTest.cpp - names, figures and quotes -----------------------------===//

#include "cupel/Support/Text.h"
#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace cupel;

namespace {

TEST(Text, NearestNameIsASlipAway) {
  std::vector<std::string> Keys = {"name", "level", "tags", "tolerance", "relative"};
  EXPECT_EQ(nearestName("nmae", Keys), "name");
  EXPECT_EQ(nearestName("tolerence", Keys), "tolerance");
  EXPECT_EQ(nearestName("LEVEL", Keys), "level");
  EXPECT_EQ(nearestName("tag", Keys), "tags");
  EXPECT_EQ(nearestName("colour", Keys), std::nullopt);
  EXPECT_EQ(nearestName("x", Keys), std::nullopt);
  EXPECT_EQ(nearestName("", Keys), std::nullopt);
  EXPECT_EQ(nearestName("a", {"b", "c"}), std::nullopt);
  EXPECT_EQ(nearestName("name", std::vector<std::string>()), std::nullopt);
  EXPECT_EQ(nearestName("lint", {"link", "Lint", "line"}), "Lint");
  EXPECT_EQ(nearestName("rleu", {"elu", "relu", "selu"}), "relu");
  EXPECT_EQ(didYouMean("nmae", Keys), "; did you mean 'name'?");
  EXPECT_EQ(didYouMean("colour", Keys), "");
}

TEST(Text, Durations) {
  EXPECT_EQ(formatDuration(0), "0 s");
  EXPECT_EQ(formatDuration(1.23e-5), "12.3 us");
  EXPECT_EQ(formatDuration(4.564e-3), "4.56 ms");
  EXPECT_EQ(formatDuration(1.2), "1.20 s");
  EXPECT_EQ(formatDuration(0.99999), "1.00 s");
  EXPECT_EQ(formatDuration(9.996e-3), "10.0 ms");
  EXPECT_EQ(formatDuration(30), "30.0 s");
  EXPECT_EQ(formatDuration(185), "3 min 5 s");
  EXPECT_EQ(formatDuration(7380), "2 h 3 min");
  EXPECT_EQ(formatDuration(-2e-6), "-2.00 us");
  EXPECT_EQ(formatDuration(5e-13), "0.000500 ns");
  EXPECT_EQ(formatDuration(std::nan("")), "nan");
  EXPECT_EQ(formatMicroseconds(12.3), "12.3 us");
}

TEST(Text, Sizes) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1536), "1.50 KiB");
  EXPECT_EQ(formatBytes(uint64_t(100) << 20), "100 MiB");
  EXPECT_EQ(formatBytes(~uint64_t(0)), "16.0 EiB");
  EXPECT_EQ(formatQuantity(3.35e12, "B/s"), "3.35 TB/s");
  EXPECT_EQ(formatQuantity(999.7, "B/s"), "1.00 kB/s");
  EXPECT_EQ(formatQuantity(12, "FLOP"), "12.0 FLOP");
  EXPECT_EQ(formatSignificant(0.012345), "0.0123");
  EXPECT_EQ(formatSignificant(1234.6), "1235");
  EXPECT_EQ(formatSignificant(-INFINITY), "-inf");
}

TEST(Text, ForeignTextIsMadePrintable) {
  EXPECT_EQ(printableLine("plain \xc3\xa9"), "plain \xc3\xa9");
  EXPECT_EQ(printableLine("a\nb\tc\x1b[31m"), "a\\nb\\tc\\x1b[31m");
  EXPECT_EQ(printableLine("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printableLine("\xe2\x80\xae"
                          "x"),
            "\\xe2\\x80\\xaex");
  EXPECT_EQ(printableLine("\xc2\x9b"
                          "x"),
            "\\xc2\\x9bx");
  EXPECT_EQ(printableLine("abcdef", 3), "abc...");
}

TEST(Text, ShellQuotes) {
  EXPECT_EQ(shellQuote("a/b-c.cu"), "a/b-c.cu");
  EXPECT_EQ(shellQuote(""), "''");
  EXPECT_EQ(shellQuote("a b"), "'a b'");
  EXPECT_EQ(shellQuote("it's"), "'it'\\''s'");
}

} // namespace
